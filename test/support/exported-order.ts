import type { Order } from '@keyfront/protocol';

/** An order as an export lists it. Its texts and amounts are those that a spreadsheet could misread. */
export function makeExportedOrder(number: number): Order {
  return {
    id: `019a8f3e-7c00-7000-8000-${String(number).padStart(12, '0')}`,
    invoiceNumber: `KF-${number}`,
    orderStatus: 'PENDING',
    status: 'PENDING',
    paymentStatus: 'PAID',
    adminApproval: 'VERIFIED',
    subTotal: 999_999_999_999.99,
    deliveryCharge: 0,
    totalAmount: 999_999_999_999.99,
    taxRate: 0,
    taxAmount: 0,
    paidAmount: 999_999_999_999.99,
    refundedAmount: 0,
    refundDue: 0,
    externalReference: '',
    metadata: {},
    totalQuantity: number,
    currency: 'EUR',
    createdAt: '2026-11-15T09:30:00.000Z',
    updatedAt: '2026-11-15T09:31:00.000Z',
    client: {
      id: '019a8f3e-7c00-7000-8000-000000000301',
      firstName: '=1+1 & <b>',
      lastName: 'Example',
      email: 'ada@example.org',
    },
    nft: { tokenId: 1001 },
  };
}
