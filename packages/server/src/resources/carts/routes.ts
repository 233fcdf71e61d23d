import {
  CartAddition,
  CartListQuery,
  CartOfClient,
  CartPage,
  CartPath,
  CartRemovalQuery,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { addToCart, getCartPage, removeFromCart } from './cart-rules.ts';

const clientId = '019a8f3e-7c00-7000-8000-000000000201';
const strainId = '019a8f3e-7c00-7000-8000-000000000301';
const cart = {
  id: '019a8f3e-7c00-7000-8000-000000000401',
  cartItems: [
    {
      strainId,
      quantity: 2,
      lineAmount: '25.00',
      strain: {
        id: strainId,
        name: 'Lunar Saffron',
        retailPrice: '12.50',
        currency: 'EUR',
        imageUrl: null,
        isAvailable: true,
        stockQuantity: 240,
      },
    },
  ],
  totalAmount: '25.00',
  totalQuantity: 2,
  currency: 'EUR',
};

export function addCartRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'POST',
      path: '/dapp/carts',
      access: 'credential',
      id: 'addToCart',
      tag: 'Carts',
      summary: 'Add to a cart',
      description:
        'Adds to what the client’s cart holds already and answers with all of it. Nothing is reserved: stock is ' +
        'taken when the order is placed.',
      status: 201,
      body: CartAddition,
      answer: CartOfClient,
      errors: ['NOT_FOUND'],
      example: { clientId, ...cart },
    },
    ({ scope, body, run }) => addToCart(run, database, requireHolder(scope), body),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/carts',
      access: 'credential',
      id: 'listCarts',
      tag: 'Carts',
      summary: 'List carts',
      description: 'The clients who have something in the cart, the cart that changed last first.',
      query: CartListQuery,
      answer: CartPage,
      example: {
        clients: [
          {
            id: clientId,
            firstName: 'Ada',
            lastName: 'Example',
            email: 'ada@example.org',
            clientCart: [cart],
          },
        ],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, query }) => getCartPage(database, requireHolder(scope), query),
  );

  router.add(
    {
      method: 'DELETE',
      path: '/dapp/carts/:cartId',
      access: 'credential',
      id: 'deleteFromCart',
      tag: 'Carts',
      summary: 'Take out of a cart',
      description: 'One strain, or everything. The cart stays, under the same id.',
      parameters: CartPath,
      query: CartRemovalQuery,
      answer: CartOfClient,
      example: { clientId, ...cart, cartItems: [], totalAmount: '0.00', totalQuantity: 0, currency: null },
    },
    ({ scope, parameters, query }) =>
      removeFromCart(database, requireHolder(scope), parameters.cartId, query.strainId ?? null),
  );
}
