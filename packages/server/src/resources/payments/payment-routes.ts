import { paymentOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { LinkSettings } from '../providers/return-url.ts';
import { applyPaymentReport } from './payment-report-rules.ts';
import { cancelCheckout, getCheckout, openPayment } from './payment-rules.ts';

export function addPaymentRoutes(router: OperationRouter, database: Database, settings: LinkSettings): void {
  router.add(paymentOperations.openCheckout, ({ scope, body, tx }) =>
    openPayment(tx, database, scope, body, settings),
  );
  router.add(paymentOperations.getCheckout, ({ scope, parameters }) =>
    getCheckout(database, scope, parameters.orderId, settings),
  );
  router.add(paymentOperations.cancelCheckout, ({ scope, parameters, tx }) =>
    cancelCheckout(tx, database, scope, parameters.orderId, settings),
  );
  router.add(paymentOperations.reportPayment, ({ body, tx }) => applyPaymentReport(tx, body));
}
