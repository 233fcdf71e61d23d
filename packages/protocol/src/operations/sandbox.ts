import { defineOperations, listBodyLimitBytes } from '../operation.ts';
import { Client, ClientPath } from '../schemas/clients.ts';
import { NewShipment, Shipment } from '../schemas/fulfilment.ts';
import { KycReportResult } from '../schemas/kyc.ts';
import { OrderPath, OrderWithLines } from '../schemas/orders.ts';
import { PaymentReportResult } from '../schemas/payments.ts';
import {
  SandboxClientChange,
  SandboxKycReport,
  SandboxOrderChange,
  SandboxPaymentReport,
  SandboxReset,
  SandboxResetResult,
} from '../schemas/sandbox.ts';
import { client, ids, orderWithLines, shipment } from './examples.ts';

/** What a holder does in a sandbox in place of administrators and providers. Other services do not have these operations. */
export const sandboxOperations = defineOperations({
  updateSandboxClient: {
    method: 'PATCH',
    path: '/sandbox/clients/{clientId}',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.updateClient',
    summary: 'Approve or reject a client',
    description:
      'Decides about a client of the digital key as an administrator does, with the same events. Any approval may follow any other.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    body: SandboxClientChange,
    response: Client,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'REJECTION_NOTE_REFUSED'],
    roundTrips: 4,
    example: {
      parameters: { clientId: ids.client },
      body: { adminApproval: 'VERIFIED' },
      response: { ...client, adminApproval: 'VERIFIED' },
    },
  },

  reportSandboxKyc: {
    method: 'PUT',
    path: '/sandbox/clients/{clientId}/kyc-status',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.reportKyc',
    summary: 'Finish an identity check',
    description:
      'Reports the state of the identity check of a client as the identity provider does. Reporting the current state again is a no-op.',
    status: 200,
    retry: 'safe',
    parameters: ClientPath,
    body: SandboxKycReport,
    response: KycReportResult,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'KYC_TRANSITION_REFUSED'],
    roundTrips: 3,
    example: {
      parameters: { clientId: ids.client },
      body: { status: 'VERIFIED' },
      response: { reference: ids.kycReference, status: 'VERIFIED' },
    },
  },

  updateSandboxOrder: {
    method: 'PATCH',
    path: '/sandbox/orders/{orderId}',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.updateOrder',
    summary: 'Approve, reject or deliver an order',
    description:
      'Changes an order of the digital key as an administrator does, by the same rules: rejecting an order cancels it and returns ' +
      'its stock, and only an approved order is processed, shipped or delivered.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    body: SandboxOrderChange,
    response: OrderWithLines,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'ORDER_TRANSITION_REFUSED',
      'ORDER_CLOSED',
      'REJECTION_NOTE_REFUSED',
    ],
    roundTrips: 4,
    example: {
      parameters: { orderId: ids.order },
      body: { adminApproval: 'VERIFIED' },
      response: { ...orderWithLines, adminApproval: 'VERIFIED' },
    },
  },

  reportSandboxPayment: {
    method: 'PUT',
    path: '/sandbox/orders/{orderId}/payment-status',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.reportPayment',
    summary: 'Finish a payment',
    description:
      'Reports the payment of an order as the payment provider does. Opens a checkout first if the customer has no valid link. ' +
      'Reporting the current state again is a no-op. `REFUNDED` refunds the whole total.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    body: SandboxPaymentReport,
    response: PaymentReportResult,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'CHECKOUT_REFUSED',
      'CHECKOUT_CLOSED',
      'ORDER_TRANSITION_REFUSED',
      'REFUND_TOO_LARGE',
    ],
    roundTrips: 6,
    example: {
      parameters: { orderId: ids.order },
      body: { status: 'PAID' },
      response: { reference: ids.paymentReference, status: 'PAID' },
    },
  },

  createSandboxShipment: {
    method: 'POST',
    path: '/sandbox/orders/{orderId}/shipments',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.ship',
    summary: 'Send a parcel of an order',
    description:
      'Records a parcel with units of an approved order as an administrator does. When everything is sent, the order is `SHIPPED`.',
    status: 201,
    retry: 'idempotency-key',
    parameters: OrderPath,
    body: NewShipment,
    bodyLimitBytes: listBodyLimitBytes,
    response: Shipment,
    erasedWith: 'orderId',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'ORDER_NOT_APPROVED', 'ORDER_CLOSED', 'SHIPMENT_TOO_LARGE'],
    roundTrips: 4,
    example: {
      parameters: { orderId: ids.order },
      body: { carrier: shipment.carrier, trackingNumber: shipment.trackingNumber },
      response: shipment,
    },
  },

  resetSandbox: {
    method: 'POST',
    path: '/sandbox/reset',
    access: 'credential',
    tag: 'Sandbox',
    sdk: 'sandbox.reset',
    summary: 'Reset the digital key',
    description:
      'Deletes the clients, carts, orders, sales, events and webhooks of the digital key, and returns the stock of its orders. API keys, ' +
      'sessions and the marketplace stay, and nothing of any other digital key changes. This cannot be undone.',
    status: 200,
    retry: 'idempotency-key',
    body: SandboxReset,
    response: SandboxResetResult,
    errors: ['HOLDER_REQUIRED'],
    // Two of them are the turn of the reset.
    roundTrips: { first: 10, withKey: 14, replayed: 4 },
    example: {
      body: { tokenId: 1001 },
      response: { tokenId: 1001, clients: 12, orders: 48, events: 310, webhooks: 1 },
    },
  },
});
