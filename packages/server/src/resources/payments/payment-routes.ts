import { paymentOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { applyPaymentReport } from './payment-report-rules.ts';
import { type CheckoutSettings, cancelCheckout, getCheckout, openPayment } from './payment-rules.ts';

export function addPaymentRoutes(
  router: OperationRouter,
  database: Database,
  settings: CheckoutSettings,
): void {
  router.add(paymentOperations.openCheckout, ({ scope, body, run }) =>
    openPayment(run, database, requireHolder(scope), body, settings),
  );
  router.add(paymentOperations.getCheckout, ({ scope, parameters }) =>
    getCheckout(database, requireHolder(scope), parameters.orderId, settings),
  );
  router.add(paymentOperations.cancelCheckout, ({ scope, parameters, run }) =>
    cancelCheckout(run, database, requireHolder(scope), parameters.orderId, settings),
  );
  router.add(paymentOperations.reportPayment, ({ body, run }) => applyPaymentReport(run, body));
}
