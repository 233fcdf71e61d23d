import { defineOperations, listBodyLimitBytes } from '../operation.ts';
import {
  CartAddition,
  CartAdditionQuery,
  CartClientPath,
  CartContent,
  CartListQuery,
  CartOfClient,
  CartPage,
  CartPath,
  CartRemovalQuery,
} from '../schemas/carts.ts';
import { clientContact, ids, onlyPage, strain } from './examples.ts';

const { id, name, retailPrice, currency, imageUrl, isAvailable, stockQuantity } = strain;
const cart = {
  id: ids.cart,
  cartItems: [
    {
      strainId: ids.strain,
      quantity: 2,
      lineAmount: 25,
      totalAmount: 25,
      strain: { id, name, retailPrice, currency, imageUrl, isAvailable, stockQuantity },
    },
  ],
  subTotal: 25,
  deliveryCharge: 4.9,
  totalAmount: 29.9,
  totalQuantity: 2,
  totalQuatity: 2,
  currency: 'EUR',
};
const emptyCart = {
  ...cart,
  cartItems: [],
  subTotal: 0,
  deliveryCharge: 0,
  totalAmount: 0,
  totalQuantity: 0,
  totalQuatity: 0,
  currency: null,
};
const describeOfClient = (content: typeof cart | typeof emptyCart) => ({
  clientId: ids.client,
  ...content,
  clients: [{ ...clientContact, clientCart: [content] }],
});
const unfitStrains = [
  'NOT_SOLD_IN_COUNTRY',
  'STRAIN_NOT_AVAILABLE',
  'CURRENCY_MISMATCH',
  'CART_LIMIT_EXCEEDED',
] as const;

export const cartOperations = defineOperations({
  addToCart: {
    method: 'POST',
    path: '/dapp/carts',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.add',
    summary: 'Add to a cart',
    description:
      'Adds items to the cart of the client and returns the whole cart, at the prices of the country of the client. A cart ' +
      'reserves no stock: the order takes it.',
    status: 201,
    retry: 'idempotency-key',
    query: CartAdditionQuery,
    body: CartAddition,
    bodyLimitBytes: listBodyLimitBytes,
    response: CartOfClient,
    erasedWith: 'clientId',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'RESOURCE_NOT_FOUND', ...unfitStrains],
    example: {
      body: { clientId: ids.client, cartItems: [{ strainId: ids.strain, quantity: 2 }] },
      response: describeOfClient(cart),
    },
  },

  listCarts: {
    method: 'GET',
    path: '/dapp/carts',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.list',
    summary: 'List carts',
    description: 'Lists the clients whose cart is not empty. The cart that changed last comes first.',
    status: 200,
    retry: 'safe',
    query: CartListQuery,
    response: CartPage,
    errors: ['HOLDER_REQUIRED'],
    example: {
      response: { clients: [{ ...clientContact, clientCart: [cart] }], pageMetaDto: onlyPage },
    },
  },

  getCart: {
    method: 'GET',
    path: '/dapp/carts/{cartId}',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.get',
    summary: 'Get a cart',
    description: 'Every client has a cart from the start. It may be empty.',
    status: 200,
    retry: 'safe',
    parameters: CartPath,
    response: CartOfClient,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: { parameters: { cartId: ids.cart }, response: describeOfClient(cart) },
  },

  replaceCart: {
    method: 'PUT',
    path: '/dapp/carts/{cartId}',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.replace',
    summary: 'Replace the content of a cart',
    description: 'The cart then holds exactly these items. An empty list empties it.',
    status: 200,
    retry: 'safe',
    parameters: CartPath,
    body: CartContent,
    response: CartOfClient,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', ...unfitStrains],
    roundTrips: 2,
    example: {
      parameters: { cartId: ids.cart },
      body: { items: [{ strainId: ids.strain, quantity: 2 }] },
      response: describeOfClient(cart),
    },
  },

  deleteFromCart: {
    method: 'DELETE',
    path: '/dapp/carts/{cartId}',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.delete',
    summary: 'Remove from a cart',
    description: 'Removes one strain, or everything. The empty cart keeps its id.',
    status: 200,
    retry: 'safe',
    parameters: CartPath,
    query: CartRemovalQuery,
    response: CartOfClient,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    roundTrips: 2,
    example: {
      parameters: { cartId: ids.cart },
      query: { strainId: ids.strain },
      response: describeOfClient(emptyCart),
    },
  },

  emptyClientCart: {
    method: 'DELETE',
    path: '/dapp/carts/client/{clientId}',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.emptyOfClient',
    summary: 'Empty the cart of a client',
    description: 'Removes everything. The empty cart keeps its id.',
    status: 200,
    retry: 'safe',
    parameters: CartClientPath,
    response: CartOfClient,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    roundTrips: 2,
    example: { parameters: { clientId: ids.client }, response: describeOfClient(emptyCart) },
  },
});
