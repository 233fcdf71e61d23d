import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Strain } from './strains.ts';
import { Currency, Money, Nullable, Uuid } from './values.ts';

/** How many units of one strain a cart may hold. */
export const mostOfStrainInCart = 1000;
const mostItemsInAddition = 100;

const quantity = (description: string) =>
  Type.Integer({ minimum: 1, maximum: mostOfStrainInCart, description, examples: [2] });

export const CartItem = Type.Object({
  strainId: Uuid('Identifies the strain'),
  quantity: quantity('How many units'),
  lineAmount: Money('What they cost at the present price'),
  strain: Type.Pick(Strain, [
    'id',
    'name',
    'retailPrice',
    'currency',
    'imageUrl',
    'isAvailable',
    'stockQuantity',
  ]),
});
export type CartItem = Static<typeof CartItem>;

export const Cart = Type.Object({
  id: Uuid('Identifies the cart; it stays the same when the cart is emptied'),
  cartItems: Type.Array(CartItem, { description: 'In the order in which they were added' }),
  totalAmount: Money('What all of it costs at the present prices; means nothing without a `currency`'),
  totalQuantity: Type.Integer({ minimum: 0, description: 'How many units it holds', examples: [2] }),
  currency: Nullable(Currency()),
});
export type Cart = Static<typeof Cart>;

export const CartOfClient = Type.Object({ clientId: Uuid('Whose cart it is'), ...Cart.properties });
export type CartOfClient = Static<typeof CartOfClient>;

export const CartAddition = Type.Object({
  clientId: Uuid('Whose cart it is'),
  cartItems: Type.Array(
    Type.Object({ strainId: Uuid('Identifies the strain'), quantity: quantity('How many units to add') }),
    { minItems: 1, maxItems: mostItemsInAddition, description: 'A strain that stands here twice adds up' },
  ),
});
export type CartAddition = Static<typeof CartAddition>;

export const CartPage = Type.Object({
  clients: Type.Array(
    Type.Object({
      id: Uuid('Identifies the client'),
      firstName: Type.String({ examples: ['Ada'] }),
      lastName: Type.String({ examples: ['Example'] }),
      email: Type.String({ examples: ['ada@example.org'] }),
      clientCart: Type.Array(Cart, { description: 'The one cart of the client' }),
    }),
  ),
  pageMetaDto: PageMeta,
});
export type CartPage = Static<typeof CartPage>;

export const CartListQuery = Type.Object({
  ...pageQueryFields,
  clientId: Type.Optional(Uuid('Only the cart of this client')),
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'Part of the first name, of the last name, of both together, or of the e-mail; in any case',
      examples: ['Ada Exa'],
    }),
  ),
});
export type CartListQuery = Static<typeof CartListQuery>;

export const CartPath = Type.Object({ cartId: Uuid('Identifies the cart') });

export const CartRemovalQuery = Type.Object({
  strainId: Type.Optional(
    // Not a filter, where empty means none: an id that came out empty by mistake must not empty the cart.
    Type.Unsafe<string>({
      type: ['string'],
      format: 'uuid',
      description: 'Takes out this strain; everything when it is not given',
    }),
  ),
});
export type CartRemovalQuery = Static<typeof CartRemovalQuery>;
