import { cartOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import {
  addToCart,
  emptyCartOfClient,
  getCart,
  getCartPage,
  removeFromCart,
  replaceCart,
} from './cart-rules.ts';

export function addCartRoutes(router: OperationRouter, database: Database): void {
  router.add(cartOperations.addToCart, ({ scope, body, query, tx }) =>
    addToCart(tx, database, scope, body, query),
  );
  router.add(cartOperations.listCarts, ({ scope, query }) => getCartPage(database, scope, query));
  router.add(cartOperations.getCart, ({ scope, parameters }) => getCart(database, scope, parameters.cartId));
  router.add(cartOperations.replaceCart, ({ scope, parameters, body }) =>
    replaceCart(database, scope, parameters.cartId, body.items),
  );
  router.add(cartOperations.deleteFromCart, ({ scope, parameters, query }) =>
    removeFromCart(database, scope, parameters.cartId, query.strainId ?? null),
  );
  router.add(cartOperations.emptyClientCart, ({ scope, parameters }) =>
    emptyCartOfClient(database, scope, parameters.clientId),
  );
}
