import type {
  Client,
  KycReportResult,
  NewShipment,
  OrderWithLines,
  PaymentReportResult,
  SandboxClientChange,
  SandboxKycReport,
  SandboxOrderChange,
  SandboxPaymentReport,
  Shipment,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { type AdministratorScope, type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notInScope } from '../../lib/errors/api-error.ts';
import { changeClientApproval } from '../clients/admin-client-rules.ts';
import { requireOwnClient, throwClientNotInScope } from '../clients/client-rules.ts';
import { applyKycReport } from '../kyc/kyc-rules.ts';
import { throwOrderNotInScope } from '../orders/order-rules.ts';
import { shipOrder } from '../orders/shipping/ship-order.ts';
import { changeOrder } from '../orders/state/change-order.ts';
import { applyPaymentReport } from '../payments/payment-report-rules.ts';
import { openPayment } from '../payments/payment-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import type { LinkSettings } from '../providers/return-url.ts';
import {
  findKycReference,
  findOrderOwnership,
  findSandboxPayment,
  type SandboxPayment,
} from './sandbox-queries.ts';

// Administrators and providers may change what belongs to any digital key. So each function first finds its subject in the scope of the
// holder, or throws the 404 or 403. A client or an order never moves to another digital key, so what was found stays the holder's.

/** The holder in the part of an administrator. The audit log names their wallet. */
export function actAsAdministrator({
  walletAddress,
}: Pick<HolderScope, 'walletAddress'>): AdministratorScope {
  return { role: 'administrator', walletAddress };
}

/** Approves or rejects a client of the digital key. */
export async function decideOwnClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  change: SandboxClientChange,
  kycLinks: ProviderLinks,
): Promise<Client> {
  await requireOwnClient(database, scope, clientId);
  return changeClientApproval(database, actAsAdministrator(scope), clientId, change, kycLinks);
}

/** Reports the identity check of a client of the digital key. */
export async function reportOwnKyc(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { status }: SandboxKycReport,
): Promise<KycReportResult> {
  const { reference } =
    (await findKycReference(database, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
  return database.transaction(systemScope, (tx) => applyKycReport(tx, { reference, status }));
}

/** Changes the state of an order of the digital key. */
export async function changeOwnOrder(
  database: Database,
  scope: HolderScope,
  orderId: string,
  change: SandboxOrderChange,
): Promise<OrderWithLines> {
  await findOwnPayment(database, scope, orderId);
  return changeOrder(database, actAsAdministrator(scope), orderId, change);
}

/** Sends a parcel of an order of the digital key, in the transaction of an administrator. */
export async function shipOwnOrder(
  scope: HolderScope,
  tx: RunInTransaction,
  orderId: string,
  parcel: NewShipment,
): Promise<Shipment> {
  const found = await findOrderOwnership(tx, orderId, scope.tokenId);
  if (!found?.isOwn) throw notInScope('Order', found !== null);
  return shipOrder(tx, actAsAdministrator(scope), orderId, parcel);
}

/** Reports the payment of an order of the digital key. Opens a checkout if there is none that the report can be about. */
export async function reportOwnPayment(
  database: Database,
  scope: HolderScope,
  orderId: string,
  { status }: SandboxPaymentReport,
  settings: LinkSettings,
): Promise<PaymentReportResult> {
  const found = await findOwnPayment(database, scope, orderId);
  const isClosed = found.status === 'FAILED' || found.status === 'CANCELLED' || found.status === 'EXPIRED';
  const mustOpen = found.status === null || (isClosed && found.status !== status);
  // A checkout would be opened for a report that is refused afterwards.
  if (mustOpen && status === 'REFUNDED')
    throw new ApiError('ORDER_TRANSITION_REFUSED', {
      message: 'Only a payment that is PAID can become REFUNDED',
    });
  if (mustOpen)
    await database.transaction(scope, (tx) => openPayment(tx, database, scope, { orderId }, settings));
  const payment = mustOpen ? await findOwnPayment(database, scope, orderId) : found;
  const { reference, amount, currency } = payment;
  // Another request has just deleted the order, or has replaced its checkout.
  if (reference === null) return throwOrderNotInScope(database, orderId);
  return database.transaction(systemScope, (tx) =>
    applyPaymentReport(tx, { reference, status, amount, currency }),
  );
}

async function findOwnPayment(
  database: Database,
  scope: HolderScope,
  orderId: string,
): Promise<SandboxPayment> {
  return (
    (await findSandboxPayment(database, scope, orderId)) ?? (await throwOrderNotInScope(database, orderId))
  );
}
