import type { Order } from '@keyfront/protocol';

/** An order as its statements give it: flat, and named as on the wire. */
export interface OrderRecord extends Omit<Order, 'client' | 'nft'> {
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
  clients.first_name AS "firstName", clients.last_name AS "lastName", clients.email, orders.token_id AS "tokenId"`;

/** Field by field: to gather "all the others" takes longer than the rest of a page of orders. */
export function describeOrder(record: OrderRecord): Order {
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
  };
}
