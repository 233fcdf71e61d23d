import { defineOperations } from '../operation.ts';
import {
  CartAddition,
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
      strain: { id, name, retailPrice, currency, imageUrl, isAvailable, stockQuantity },
    },
  ],
  totalAmount: 25,
  totalQuantity: 2,
  currency: 'EUR',
};

export const cartOperations = defineOperations({
  addToCart: {
    method: 'POST',
    path: '/dapp/carts',
    access: 'credential',
    tag: 'Carts',
    sdk: 'carts.add',
    summary: 'Add to a cart',
    description:
      'Adds items to the cart of the client and returns the whole cart. A cart reserves no stock: the order takes it.',
    status: 201,
    retry: 'idempotency-key',
    body: CartAddition,
    response: CartOfClient,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'RESOURCE_NOT_FOUND',
      'STRAIN_NOT_AVAILABLE',
      'CURRENCY_MISMATCH',
      'CART_LIMIT_EXCEEDED',
    ],
    example: {
      body: { clientId: ids.client, cartItems: [{ strainId: ids.strain, quantity: 2 }] },
      response: { clientId: ids.client, ...cart },
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
    example: {
      parameters: { cartId: ids.cart },
      query: { strainId: ids.strain },
      response: {
        clientId: ids.client,
        ...cart,
        cartItems: [],
        totalAmount: 0,
        totalQuantity: 0,
        currency: null,
      },
    },
  },
});
