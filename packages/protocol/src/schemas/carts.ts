import { type Static, Type } from 'typebox';
import { ClientContact, clientSearch } from './clients.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Strain } from './strains.ts';
import { Amount, Currency, Nullable, Uuid } from './values.ts';

/** The largest quantity of one strain in a cart. */
export const maximumCartQuantity = 1000;
const maximumItemsPerRequest = 100;

const quantity = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maximumCartQuantity, description, examples: [2] });

export const CartItem = Type.Object(
  {
    strainId: Uuid('Id of the strain'),
    quantity: quantity('Number of units'),
    lineAmount: Amount('Quantity times current price'),
    strain: Type.Pick(
      Strain,
      ['id', 'name', 'retailPrice', 'currency', 'imageUrl', 'isAvailable', 'stockQuantity'],
      { title: 'CartStrain', description: 'The strain as it is now' },
    ),
  },
  { title: 'CartItem' },
);
export type CartItem = Static<typeof CartItem>;

const cartFields = {
  id: Uuid('Id of the cart. It stays the same when the cart is emptied.'),
  cartItems: Type.Array(CartItem, { description: 'In the order in which they were added' }),
  totalAmount: Amount('Total in `currency` at current prices'),
  totalQuantity: Type.Integer({ minimum: 0, description: 'Total number of units', examples: [2] }),
  currency: Nullable(Currency()),
};

export const Cart = Type.Object(cartFields, { title: 'Cart', description: 'A cart reserves no stock.' });
export type Cart = Static<typeof Cart>;

export const CartOfClient = Type.Object(
  { clientId: Uuid('Id of the client'), ...cartFields },
  { title: 'CartOfClient' },
);
export type CartOfClient = Static<typeof CartOfClient>;

export const CartAddition = Type.Object(
  {
    clientId: Uuid('Id of the client'),
    cartItems: Type.Array(
      Type.Object({ strainId: Uuid('Id of the strain'), quantity: quantity('Number of units to add') }),
      {
        minItems: 1,
        maxItems: maximumItemsPerRequest,
        description: 'If a strain appears twice, the quantities are added up',
      },
    ),
  },
  { title: 'CartAddition' },
);
export type CartAddition = Static<typeof CartAddition>;

export const CartPage = Type.Object(
  {
    clients: Type.Array(
      Type.Object(
        {
          ...ClientContact.properties,
          clientCart: Type.Array(Cart, { description: 'The one cart of the client' }),
        },
        { title: 'ClientWithCart' },
      ),
    ),
    pageMetaDto: PageMeta,
  },
  { title: 'CartPage' },
);
export type CartPage = Static<typeof CartPage>;

export const CartListQuery = Type.Object({
  ...pageQueryFields,
  clientId: Type.Optional(Uuid('Only the cart of this client')),
  search: clientSearch,
});
export type CartListQuery = Static<typeof CartListQuery>;

export const CartPath = Type.Object({ cartId: Uuid('Id of the cart') });

export const CartRemovalQuery = Type.Object({
  strainId: Type.Optional(
    // Not empty: an id that is empty by mistake must not empty the cart.
    Type.String({ minLength: 1, format: 'uuid', description: 'Remove only this strain' }),
  ),
});
export type CartRemovalQuery = Static<typeof CartRemovalQuery>;
