import { paymentOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { applyPaymentReport } from './payment-report-rules.ts';
import { type CheckoutSettings, cancelCheckout, getCheckout, openCheckout } from './payment-rules.ts';

export function bindPayments(binder: OperationBinder, database: Database, settings: CheckoutSettings): void {
  binder.bind(paymentOperations.openCheckout, ({ scope, body, run }) =>
    openCheckout(run, database, requireHolder(scope), body, settings),
  );
  binder.bind(paymentOperations.getCheckout, ({ scope, parameters }) =>
    getCheckout(database, requireHolder(scope), parameters.orderId, settings),
  );
  binder.bind(paymentOperations.cancelCheckout, ({ scope, parameters, run }) =>
    cancelCheckout(run, database, requireHolder(scope), parameters.orderId, settings),
  );
  binder.bind(paymentOperations.reportPayment, ({ body, run }) => applyPaymentReport(run, body));
}
