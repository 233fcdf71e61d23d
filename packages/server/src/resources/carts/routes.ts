import { cartOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-binder.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { addToCart, getCartPage, removeFromCart } from './cart-rules.ts';

export function bindCarts(binder: OperationBinder, database: Database): void {
  binder.bind(cartOperations.addToCart, ({ scope, body, run }) =>
    addToCart(run, database, requireHolder(scope), body),
  );
  binder.bind(cartOperations.listCarts, ({ scope, query }) =>
    getCartPage(database, requireHolder(scope), query),
  );
  binder.bind(cartOperations.deleteFromCart, ({ scope, parameters, query }) =>
    removeFromCart(database, requireHolder(scope), parameters.cartId, query.strainId ?? null),
  );
}
