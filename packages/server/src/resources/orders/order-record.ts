import type { AdminOrder } from '@keyfront/protocol';

/** An order as its statements give it: flat, and named as on the wire. */
export interface OrderRecord extends Omit<AdminOrder, 'client' | 'nft'> {
  readonly clientId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly tokenId: number;
}

/** From `orders` and `clients`, which every statement about orders joins. */
export const orderColumns = `orders.id, orders.invoice_number AS "invoiceNumber", orders.order_status AS "orderStatus",
  orders.payment_status AS "paymentStatus", orders.admin_approval AS "adminApproval",
  orders.total_amount AS "totalAmount", orders.total_quantity AS "totalQuantity", orders.currency,
  orders.created_at AS "createdAt", orders.updated_at AS "updatedAt", orders.client_id AS "clientId",
  clients.first_name AS "firstName", clients.last_name AS "lastName", clients.email, orders.token_id AS "tokenId",
  orders.rejection_note AS "rejectionNote"`;

/** Everything that anybody may see of an order. What a holder may not see, the schema of his answer leaves out. */
export function describeOrder(record: OrderRecord): AdminOrder {
  return {
    id: record.id,
    invoiceNumber: record.invoiceNumber,
    orderStatus: record.orderStatus,
    paymentStatus: record.paymentStatus,
    adminApproval: record.adminApproval,
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
