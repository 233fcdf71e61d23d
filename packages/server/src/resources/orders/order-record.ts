import type { AdminOrder } from '@keyfront/protocol';

/** A row of an order statement: flat, with the field names of the response. */
export interface OrderRecord extends Omit<AdminOrder, 'client' | 'nft'> {
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
  orders.created_at AS "createdAt", orders.updated_at AS "updatedAt", orders.client_id AS "clientId",
  clients.first_name AS "firstName", clients.last_name AS "lastName", clients.email, orders.token_id AS "tokenId",
  orders.rejection_note AS "rejectionNote"`;

/** Converts a row to the response for administrators. The response schema of holders drops the fields they may not see. */
export function toOrder(record: OrderRecord): AdminOrder {
  return {
    id: record.id,
    invoiceNumber: record.invoiceNumber,
    orderStatus: record.orderStatus,
    paymentStatus: record.paymentStatus,
    adminApproval: record.adminApproval,
    subTotal: record.subTotal,
    deliveryCharge: record.deliveryCharge,
    totalAmount: record.totalAmount,
    totalQuantity: record.totalQuantity,
    currency: record.currency,
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
