import { type Operation, scopesOf } from '../operation.ts';
import { auditOperations } from './audit.ts';
import { authOperations } from './auth.ts';
import { cartOperations } from './carts.ts';
import { clientOperations } from './clients.ts';
import { dashboardOperations } from './dashboard.ts';
import { deliveryChargeOperations } from './delivery-charges.ts';
import { eventOperations } from './events.ts';
import { healthOperations } from './health.ts';
import { holderOperations } from './holders.ts';
import { imageOperations } from './images.ts';
import { keyOperations } from './keys.ts';
import { kycOperations } from './kyc.ts';
import { nftSaleOperations } from './nft-sales.ts';
import { orderOperations } from './orders.ts';
import { paymentOperations } from './payments.ts';
import { planetOperations } from './planets.ts';
import { saleOperations } from './sales.ts';
import { sandboxOperations } from './sandbox.ts';
import { strainOperations } from './strains.ts';
import { transactionOperations } from './transactions.ts';
import { webhookOperations } from './webhooks.ts';

export * from './audit.ts';
export * from './auth.ts';
export * from './carts.ts';
export * from './clients.ts';
export * from './dashboard.ts';
export * from './delivery-charges.ts';
export * from './events.ts';
export * from './health.ts';
export * from './holders.ts';
export * from './images.ts';
export * from './keys.ts';
export * from './kyc.ts';
export * from './nft-sales.ts';
export * from './orders.ts';
export * from './payments.ts';
export * from './planets.ts';
export * from './sales.ts';
export * from './sandbox.ts';
export * from './strains.ts';
export * from './transactions.ts';
export * from './webhooks.ts';

/** Every operation of the API by its id, in the order of the reference. */
export const operations = {
  ...authOperations,
  ...keyOperations,
  ...holderOperations,
  ...clientOperations,
  ...kycOperations,
  ...cartOperations,
  ...orderOperations,
  ...paymentOperations,
  ...saleOperations,
  ...dashboardOperations,
  ...eventOperations,
  ...webhookOperations,
  ...nftSaleOperations,
  ...transactionOperations,
  ...planetOperations,
  ...strainOperations,
  ...deliveryChargeOperations,
  ...imageOperations,
  ...auditOperations,
  ...sandboxOperations,
  ...healthOperations,
} as const;

export type OperationId = keyof typeof operations;

export const operationList: readonly Operation[] = Object.values(operations);

/** The operations of a service. Only a sandbox has those of the sandbox. */
export function operationsOf(isSandbox: boolean): readonly Operation[] {
  return isSandbox ? operationList : operationList.filter(({ tag }) => tag !== 'Sandbox');
}

/** Every scope that an API key may have, in alphabetical order. */
export const keyScopes: readonly string[] = [...new Set(operationList.flatMap(scopesOf))].sort();
