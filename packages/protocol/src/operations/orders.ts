import { defineOperations, listBodyLimitBytes, metadataLimitBytes } from '../operation.ts';
import { AdminOrderDetails, DecisionResults, Decisions } from '../schemas/administration.ts';
import {
  NewRefund,
  NewShipment,
  Refund,
  Shipment,
  ShipmentChange,
  ShipmentPath,
} from '../schemas/fulfilment.ts';
import {
  AdminOrderChange,
  AdminOrderListQuery,
  AdminOrderPage,
  CreatedOrder,
  NewOrder,
  OrderChange,
  OrderChart,
  OrderChartQuery,
  OrderDetails,
  OrderExportFileQuery,
  OrderExportQuery,
  OrderHistory,
  OrderListQuery,
  OrderPage,
  OrderPath,
  OrderSummary,
  OrderWithLines,
  PackingSlipQuery,
  PrintedPage,
} from '../schemas/orders.ts';
import {
  client,
  clientContact,
  createdAt,
  ids,
  onlyCursorPage,
  order,
  orderWithLines,
  payment,
  refund,
  shipment,
} from './examples.ts';

const firstState = {
  orderStatus: 'PENDING',
  paymentStatus: 'PENDING',
  adminApproval: 'PENDING',
  rejectionNote: null,
  changedAt: createdAt,
  author: 'HOLDER',
};

const page = { orders: [order], pageMetaDto: onlyCursorPage };

export const orderOperations = defineOperations({
  createOrder: {
    method: 'POST',
    path: '/dapp/orders',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.create',
    summary: 'Create an order',
    description:
      'Places an order in one transaction: exactly the `items`, or without them the cart, which is then emptied. Prices, ' +
      'currency and stock are those of the country that the order ships to. The client must be active, verified by KYC and ' +
      'approved. Send an `Idempotency-Key` so that a retry returns the same order.',
    status: 201,
    retry: 'idempotency-key',
    body: NewOrder,
    bodyLimitBytes: listBodyLimitBytes + metadataLimitBytes,
    response: CreatedOrder,
    erasedWith: 'id',
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'RESOURCE_NOT_FOUND',
      'CLIENT_NOT_ACTIVE',
      'CLIENT_NOT_VERIFIED',
      'CLIENT_NOT_APPROVED',
      'CART_EMPTY',
      'SHIPPING_ADDRESS_MISSING',
      'NOT_SOLD_IN_COUNTRY',
      'STRAIN_NOT_AVAILABLE',
      'PRICE_CHANGED',
      'CURRENCY_MISMATCH',
      'STOCK_TOO_LOW',
      'ORDER_TOO_LARGE',
      'PROVIDER_NOT_CONFIGURED',
      'REFERENCE_TAKEN',
    ],
    example: { body: { clientId: ids.client }, response: orderWithLines },
    variants: {
      'of items': { body: { clientId: ids.client, items: [{ strainId: ids.strain, quantity: 2 }] } },
    },
  },

  listOrders: {
    method: 'GET',
    path: '/dapp/orders',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.list',
    summary: 'List orders',
    description: 'Lists the orders of the digital key, newest first unless `orderBy` says otherwise.',
    status: 200,
    retry: 'safe',
    query: OrderListQuery,
    response: OrderPage,
    errors: ['HOLDER_REQUIRED'],
    example: { query: { status: 'PENDING', take: 10 }, response: page },
  },

  exportOrders: {
    method: 'GET',
    path: '/orders/export',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.export',
    summary: 'Export orders',
    description:
      'All eight filters are required; an empty value means no filter. For an administrator the export covers the whole ' +
      'platform. With `Accept: text/csv` or `text/*` the response is one file with all matching orders; paging ' +
      'parameters must be valid, but have no effect. The file contains archived orders, which other lists do not; then ' +
      '`orderBy` must sort by creation.',
    status: 200,
    retry: 'safe',
    query: OrderExportQuery,
    file: {
      contentType: 'text/csv',
      description: 'All matching orders as CSV (RFC 4180)',
      query: OrderExportFileQuery,
    },
    response: OrderPage,
    errors: ['RESOURCE_NOT_FOUND'],
    example: {
      query: {
        orderBy: 'desc',
        startDate: '2026-11-01T00:00:00.000Z',
        endDate: '2026-11-15T23:59:59.999Z',
        search: '',
        searchBy: '',
        status: '',
        paymentStatus: '',
        adminApproval: '',
      },
      response: page,
    },
    // One more round trip for each 2,000 orders. One asks whether there are archived orders.
    variants: { 'as CSV': { headers: { accept: 'text/csv' }, roundTrips: 3 } },
  },

  getOrderSummary: {
    method: 'GET',
    path: '/dapp/orders/summary',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.summary',
    summary: 'Order summary',
    description: 'Counts the orders of the digital key by state, with revenue by currency.',
    status: 200,
    retry: 'safe',
    response: OrderSummary,
    errors: ['HOLDER_REQUIRED'],
    example: {
      response: {
        total: 3,
        totalQuantity: 11,
        revenue: [{ currency: 'EUR', amount: 137.5 }],
        paidRevenue: [{ currency: 'EUR', amount: 62.5 }],
        orderStatus: { PENDING: 1, PROCESSING: 0, SHIPPED: 0, DELIVERED: 1, CANCELLED: 1 },
        paymentStatus: { PENDING: 1, PROCESSING: 0, PAID: 1, FAILED: 1, REFUNDED: 0 },
        adminApproval: { PENDING: 2, VERIFIED: 1, REJECTED: 0 },
      },
    },
  },

  getOrderChart: {
    method: 'GET',
    path: '/dapp/orders/chart-data',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.chart',
    summary: 'Order chart data',
    description:
      'Orders and revenue for each interval, including zeros. The default is the last 30 days by day. Days are in UTC, weeks ' +
      'start on Monday. A cancelled order counts as an order without revenue.',
    status: 200,
    retry: 'safe',
    query: OrderChartQuery,
    response: OrderChart,
    errors: ['HOLDER_REQUIRED'],
    example: {
      query: {
        startDate: '2026-11-14T00:00:00.000Z',
        endDate: '2026-11-15T23:59:59.999Z',
        interval: 'day',
      },
      response: {
        interval: 'day',
        startDate: '2026-11-14',
        endDate: '2026-11-15',
        currency: 'EUR',
        points: [
          { date: '2026-11-14', orders: 0, revenue: 0 },
          { date: '2026-11-15', orders: 1, revenue: 75 },
        ],
      },
    },
  },

  getOrder: {
    method: 'GET',
    path: '/dapp/orders/{orderId}',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.get',
    summary: 'Get an order',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    response: OrderDetails,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { orderId: ids.order },
      response: {
        ...orderWithLines,
        client: { ...clientContact, shippings: client.shippings },
        payments: [payment],
        refunds: [refund],
        shipments: [shipment],
        orderDetails: orderWithLines,
      },
    },
  },

  updateOrder: {
    method: 'PATCH',
    path: '/dapp/orders/{orderId}',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.update',
    summary: 'Update or cancel an order',
    description:
      'Changes the reference or the metadata of an order, or cancels one that nobody has worked on: it is pending, and so are its approval and its payment. Returns the stock ' +
      'once. Cancelling it again is a no-op. Give at least one field.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    body: OrderChange,
    bodyLimitBytes: metadataLimitBytes,
    response: OrderWithLines,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'ORDER_TRANSITION_REFUSED', 'REFERENCE_TAKEN'],
    roundTrips: 3,
    example: {
      parameters: { orderId: ids.order },
      body: { orderStatus: 'CANCELLED' },
      response: { ...orderWithLines, orderStatus: 'CANCELLED' },
    },
    variants: { 'with metadata': { body: { metadata: { campaign: 'spring' } } } },
  },

  getOrderHistory: {
    method: 'GET',
    path: '/dapp/orders/{orderId}/history',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.history',
    summary: 'Get the history of an order',
    description: 'Lists every state that the order was in, oldest first.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    response: OrderHistory,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { orderId: ids.order },
      response: {
        history: [firstState],
      },
    },
  },

  getInvoice: {
    method: 'GET',
    path: '/dapp/orders/{orderId}/invoice',
    access: 'credential',
    tag: 'Orders',
    sdk: 'orders.invoice',
    summary: 'Get the invoice of an order',
    description:
      'A page to print: seller, addresses, lines, delivery, tax, payments and refunds. It contains no script and loads nothing.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    page: { description: 'The invoice as HTML' },
    response: PrintedPage,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { orderId: ids.order },
      response: '<!doctype html>…',
    },
  },

  listAdminOrders: {
    method: 'GET',
    path: '/admin/orders',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.list',
    summary: 'List the orders of the platform',
    description:
      'Lists the orders of all digital keys or of one, newest first unless `orderBy` says otherwise.',
    status: 200,
    retry: 'safe',
    query: AdminOrderListQuery,
    response: AdminOrderPage,
    example: {
      query: { adminApproval: 'PENDING' },
      response: { orders: [{ ...order, rejectionNote: null }], pageMetaDto: onlyCursorPage },
    },
  },

  getAdminOrder: {
    method: 'GET',
    path: '/admin/orders/{orderId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.get',
    summary: 'Get an order of the platform',
    description:
      'An order with everything that a decision needs: its lines, payments, refunds, shipments and history, its client, and ' +
      'the latest other orders of the client. The medical record is not part of it.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    response: AdminOrderDetails,
    // At the same time.
    roundTrips: 4,
    example: {
      parameters: { orderId: ids.order },
      response: {
        ...orderWithLines,
        client: { ...client, rejectionNote: null },
        payments: [payment],
        refunds: [refund],
        shipments: [shipment],
        history: [firstState],
        otherOrders: [],
      },
    },
  },

  getAdminInvoice: {
    method: 'GET',
    path: '/admin/orders/{orderId}/invoice',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.invoice',
    summary: 'Get the invoice of an order of the platform',
    description: 'The page that the holder gets, to print. It contains no script and loads nothing.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    page: { description: 'The invoice as HTML' },
    response: PrintedPage,
    example: { parameters: { orderId: ids.order }, response: '<!doctype html>…' },
  },

  getPackingSlip: {
    method: 'GET',
    path: '/admin/orders/{orderId}/packing-slip',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.packingSlip',
    summary: 'Get the packing slip of a parcel',
    description:
      'A page to print and to put into a parcel: the address, and what the parcel contains, without prices. Without a ' +
      '`shipmentId` it lists what has not been sent yet. It contains no script and loads nothing.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    query: PackingSlipQuery,
    page: { description: 'The packing slip as HTML' },
    response: PrintedPage,
    errors: ['RESOURCE_NOT_FOUND'],
    example: { parameters: { orderId: ids.order }, response: '<!doctype html>…' },
  },

  decideAdminOrders: {
    method: 'POST',
    path: '/admin/orders/decisions',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.decide',
    summary: 'Approve or reject orders',
    description:
      'Decides up to 500 orders, one after the other, each in a transaction of its own. The response says for each what ' +
      'happened. To decide the same again is a no-op. A cancelled order cannot be decided.',
    status: 200,
    retry: 'idempotency-key',
    body: Decisions,
    bodyLimitBytes: listBodyLimitBytes,
    response: DecisionResults,
    // For one id. Each further one takes as many again, but for the key.
    roundTrips: { first: 3, withKey: 7, replayed: 2 },
    example: {
      body: { adminApproval: 'VERIFIED', ids: [ids.order] },
      response: { results: [{ id: ids.order, outcome: 'CHANGED', code: null, message: null }] },
    },
  },

  updateAdminOrder: {
    method: 'PATCH',
    path: '/admin/orders/{orderId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.update',
    summary: 'Update an order',
    description:
      'Moves an order forward; give at least one field. Setting the current state again is a no-op. Rejecting an order ' +
      'cancels it. Only an approved order is processed, shipped or delivered, and only one of which nothing was sent is ' +
      'cancelled, which returns the stock once. Delivering or cancelling closes the sale. `paymentStatus` `PAID` notes a ' +
      'payment of the whole total, and `REFUNDED` a refund of everything that is left.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    body: AdminOrderChange,
    response: OrderWithLines,
    errors: ['ORDER_TRANSITION_REFUSED', 'ORDER_CLOSED', 'REJECTION_NOTE_REFUSED'],
    example: {
      parameters: { orderId: ids.order },
      body: { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' },
      response: { ...orderWithLines, orderStatus: 'PROCESSING', adminApproval: 'VERIFIED' },
    },
    variants: { 'to cancel': { body: { orderStatus: 'CANCELLED' } } },
  },

  createShipment: {
    method: 'POST',
    path: '/admin/orders/{orderId}/shipments',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.ship',
    summary: 'Send a parcel',
    description:
      'Records a parcel with units of an approved order. When everything is sent, the order is `SHIPPED`; until then it is ' +
      '`PROCESSING`. Units that were refunded are not sent. Send an `Idempotency-Key` so that a retry records one parcel.',
    status: 201,
    retry: 'idempotency-key',
    parameters: OrderPath,
    body: NewShipment,
    bodyLimitBytes: listBodyLimitBytes,
    response: Shipment,
    erasedWith: 'orderId',
    errors: ['ORDER_NOT_APPROVED', 'ORDER_CLOSED', 'SHIPMENT_TOO_LARGE'],
    roundTrips: { first: 3, replayed: 2 },
    example: {
      parameters: { orderId: ids.order },
      body: { carrier: shipment.carrier, trackingNumber: shipment.trackingNumber },
      response: shipment,
    },
  },

  updateShipment: {
    method: 'PATCH',
    path: '/admin/orders/{orderId}/shipments/{shipmentId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.updateShipment',
    summary: 'Correct a shipment',
    description:
      'Corrects the carrier or the tracking of a parcel; null removes a tracking. Give at least one field.',
    status: 200,
    retry: 'safe',
    parameters: ShipmentPath,
    body: ShipmentChange,
    response: Shipment,
    example: {
      parameters: { orderId: ids.order, shipmentId: ids.shipment },
      body: { trackingNumber: shipment.trackingNumber },
      response: shipment,
    },
  },

  createRefund: {
    method: 'POST',
    path: '/admin/orders/{orderId}/refunds',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.orders.refund',
    summary: 'Refund an order',
    description:
      'Records that money went back to the customer: an `amount`, the price of `orderLines`, or everything that is left. Never ' +
      'more than was paid. The payment is `REFUNDED` when everything was refunded; until then it stays `PAID`. Send an ' +
      '`Idempotency-Key` so that a retry refunds once. If the payment provider reports its refunds, do not record them here too.',
    status: 201,
    retry: 'idempotency-key',
    parameters: OrderPath,
    body: NewRefund,
    bodyLimitBytes: listBodyLimitBytes,
    response: Refund,
    erasedWith: 'orderId',
    errors: ['REFUND_REFUSED', 'REFUND_TOO_LARGE'],
    roundTrips: { first: 3, replayed: 2 },
    example: {
      parameters: { orderId: ids.order },
      body: { orderLines: refund.orderLines, reason: refund.reason },
      response: refund,
    },
  },
});
