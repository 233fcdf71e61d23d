import { cartOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import {
  addToCart,
  emptyCartOfClient,
  getCart,
  getCartPage,
  removeFromCart,
  replaceCart,
} from './cart-rules.ts';

export function bindCarts(binder: OperationBinder, database: Database): void {
  binder.bind(cartOperations.addToCart, ({ scope, body, query, run }) =>
    addToCart(run, database, requireHolder(scope), body, query),
  );
  binder.bind(cartOperations.listCarts, ({ scope, query }) =>
    getCartPage(database, requireHolder(scope), query),
  );
  binder.bind(cartOperations.getCart, ({ scope, parameters }) =>
    getCart(database, requireHolder(scope), parameters.cartId),
  );
  binder.bind(cartOperations.replaceCart, ({ scope, parameters, body }) =>
    replaceCart(database, requireHolder(scope), parameters.cartId, body.items),
  );
  binder.bind(cartOperations.deleteFromCart, ({ scope, parameters, query }) =>
    removeFromCart(database, requireHolder(scope), parameters.cartId, query.strainId ?? null),
  );
  binder.bind(cartOperations.emptyClientCart, ({ scope, parameters }) =>
    emptyCartOfClient(database, requireHolder(scope), parameters.clientId),
  );
}
