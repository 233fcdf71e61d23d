import { onlyPage } from '../../http/page-example.ts';
/** Orders for the reference. */
export const orderExample = {
  id: '019a8f3e-7c00-7000-8000-000000000501',
  invoiceNumber: 'KF-7Q2M9XH4TB',
  orderStatus: 'PENDING',
  paymentStatus: 'PENDING',
  adminApproval: 'PENDING',
  totalAmount: '75.00',
  totalQuantity: 6,
  currency: 'EUR',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  client: {
    id: '019a8f3e-7c00-7000-8000-000000000401',
    firstName: 'Ada',
    lastName: 'Example',
    email: 'ada@example.org',
  },
  nft: { tokenId: 1001 },
};

export const orderWithLinesExample = {
  ...orderExample,
  rejectionNote: null,
  lines: [
    {
      strainId: '019a8f3e-7c00-7000-8000-000000000301',
      strainName: 'Lunar Saffron',
      unitPrice: '12.50',
      quantity: 6,
      lineAmount: '75.00',
    },
  ],
};

export const pageMetaExample = { ...onlyPage, nextCursor: null };
