import { type Static, Type } from 'typebox';
import { ClientContact, clientSearch } from './clients.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Strain } from './strains.ts';
import { Alias, Amount, Currency, Nullable, Uuid } from './values.ts';

/** The largest quantity of one strain in a cart. */
export const maximumCartQuantity = 1000;
/** The most items that a request may contain. */
export const maximumItemsPerRequest = 100;

const quantity = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maximumCartQuantity, description, examples: [2] });

export const CartItem = Type.Object(
  {
    strainId: Uuid('Id of the strain'),
    quantity: quantity('Number of units'),
    lineAmount: Amount('Quantity times current price'),
    totalAmount: Amount('The same as `lineAmount`'),
    strain: Type.Pick(
      Strain,
      ['id', 'name', 'retailPrice', 'currency', 'imageUrl', 'isAvailable', 'stockQuantity'],
      {
        title: 'CartStrain',
        description: 'The strain as it is now in the country that it would be shipped to',
      },
    ),
  },
  { title: 'CartItem' },
);
export type CartItem = Static<typeof CartItem>;

const cartFields = {
  id: Uuid('Id of the cart. It stays the same when the cart is emptied.'),
  cartItems: Type.Array(CartItem, { description: 'In the order in which they were added' }),
  subTotal: Amount('Total of the items at current prices, in `currency`'),
  deliveryCharge: Amount('What the delivery to the country of the client costs, in `currency`'),
  totalAmount: Amount('`subTotal` and `deliveryCharge`'),
  totalQuantity: Type.Integer({ minimum: 0, description: 'Total number of units', examples: [2] }),
  totalQuatity: Type.Integer({
    deprecated: true,
    minimum: 0,
    description: 'The same as `totalQuantity`, in the spelling that older storefronts read',
    examples: [2],
  }),
  currency: Nullable(Currency()),
};

export const Cart = Type.Object(cartFields, { title: 'Cart', description: 'A cart reserves no stock.' });
export type Cart = Static<typeof Cart>;

const ClientWithCart = Type.Object(
  {
    ...ClientContact.properties,
    clientCart: Type.Array(Cart, { description: 'The one cart of the client' }),
  },
  { title: 'ClientWithCart' },
);

export const CartOfClient = Type.Object(
  {
    clientId: Uuid('Id of the client'),
    ...cartFields,
    clients: Type.Array(ClientWithCart, {
      deprecated: true,
      description: 'The same cart as in the list, for older storefronts',
    }),
  },
  { title: 'CartOfClient' },
);
export type CartOfClient = Static<typeof CartOfClient>;

const RequestedItem = Type.Object(
  { strainId: Uuid('Id of the strain'), quantity: quantity('Number of units') },
  { title: 'RequestedCartItem' },
);
const addedItems = Type.Array(RequestedItem, {
  minItems: 1,
  maxItems: maximumItemsPerRequest,
  description: 'If a strain appears twice, the quantities are added up',
});

export const CartAddition = Type.Object(
  {
    clientId: Type.Optional(Uuid('Id of the client. It may stand in the query instead.')),
    clientCartId: Type.Optional(Uuid('Id of the cart, or of its client. Give it or `clientId`.')),
    cartItems: Type.Optional(addedItems),
    items: Alias('cartItems', addedItems),
  },
  { title: 'CartAddition', anyOf: [{ required: ['cartItems'] }, { required: ['items'] }] },
);
export type CartAddition = Static<typeof CartAddition>;

export const CartAdditionQuery = Type.Object({
  clientId: Type.Optional(Uuid('Id of the client, if it is not in the body')),
});
export type CartAdditionQuery = Static<typeof CartAdditionQuery>;

export const CartContent = Type.Object(
  {
    items: Type.Array(RequestedItem, {
      maxItems: maximumItemsPerRequest,
      description:
        'Everything that the cart is to hold. If a strain appears twice, the quantities are added up.',
    }),
  },
  { title: 'CartContent' },
);
export type CartContent = Static<typeof CartContent>;

export const CartPage = Type.Object(
  {
    clients: Type.Array(ClientWithCart),
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

export const CartPath = Type.Object({ cartId: Uuid('Id of the cart, or of its client') });

export const CartClientPath = Type.Object({ clientId: Uuid('Id of the client') });

export const CartRemovalQuery = Type.Object({
  strainId: Type.Optional(Uuid('Remove only this strain')),
});
export type CartRemovalQuery = Static<typeof CartRemovalQuery>;
