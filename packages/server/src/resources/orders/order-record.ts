import type { AdminOrder } from '@keyfront/protocol';
import type { OrderState } from './state/order-state-machine.ts';

/** A row of an order statement: flat, with the field names of the response. */
export interface OrderRecord extends Omit<AdminOrder, 'status' | 'client' | 'nft'> {
  readonly clientId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly tokenId: number;
}

/** The columns to select from `orders` joined with `clients`. */
export const orderColumns = `orders.id, orders.invoice_number AS "invoiceNumber", orders.order_status AS "orderStatus",
  orders.payment_status AS "paymentStatus", orders.admin_approval AS "adminApproval",
  orders.total_amount - orders.delivery_charge AS "subTotal", orders.delivery_charge AS "deliveryCharge",
  orders.total_amount AS "totalAmount", orders.total_quantity AS "totalQuantity", orders.currency,
  orders.tax_rate::float8 AS "taxRate", orders.tax_amount AS "taxAmount", orders.paid_amount AS "paidAmount",
  orders.refunded_amount AS "refundedAmount", orders.refund_due AS "refundDue",
  orders.external_reference AS "externalReference", orders.metadata,
  orders.created_at AS "createdAt", orders.updated_at AS "updatedAt", orders.client_id AS "clientId",
  clients.first_name AS "firstName", clients.last_name AS "lastName", clients.email, orders.token_id AS "tokenId",
  orders.rejection_note AS "rejectionNote"`;

/** Converts a row to the response for administrators. The response schema of holders drops the fields they may not see. */
export function toOrder(record: OrderRecord): AdminOrder {
  return {
    id: record.id,
    invoiceNumber: record.invoiceNumber,
    orderStatus: record.orderStatus,
    status: record.orderStatus,
    paymentStatus: record.paymentStatus,
    adminApproval: record.adminApproval,
    subTotal: record.subTotal,
    deliveryCharge: record.deliveryCharge,
    totalAmount: record.totalAmount,
    taxRate: record.taxRate,
    taxAmount: record.taxAmount,
    paidAmount: record.paidAmount,
    refundedAmount: record.refundedAmount,
    refundDue: record.refundDue,
    totalQuantity: record.totalQuantity,
    currency: record.currency,
    externalReference: record.externalReference,
    metadata: record.metadata,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    client: {
      id: record.clientId,
      firstName: record.firstName,
      lastName: record.lastName,
      email: record.email,
    },
    nft: { tokenId: record.tokenId },
    rejectionNote: record.rejectionNote,
  };
}

/** An order whose row is locked until the transaction ends. */
export interface LockedOrder extends OrderState {
  readonly id: string;
  readonly tokenId: number;
  readonly rejectionNote: string | null;
  readonly stockReturnedAt: string | null;
  readonly totalAmount: number;
  readonly paidAmount: number;
  readonly refundedAmount: number;
  /** What of the total was for goods that were refunded. */
  readonly returnedAmount: number;
  readonly currency: string;
}

/** The columns of a `LockedOrder`. */
export const lockedOrderColumns = `id, order_status AS "orderStatus", payment_status AS "paymentStatus",
  admin_approval AS "adminApproval", rejection_note AS "rejectionNote", stock_returned_at AS "stockReturnedAt",
  total_amount AS "totalAmount", paid_amount AS "paidAmount", refunded_amount AS "refundedAmount",
  returned_amount AS "returnedAmount", currency, token_id AS "tokenId"`;
