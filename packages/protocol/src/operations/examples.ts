import { pageMeta } from '../schemas/paging.ts';

/** Resources that the examples of the operations share. They fit together: the order is of the client, and so on. */

export const ids = {
  planet: '019a8f3e-7c00-7000-8000-000000000007',
  holder: '019a8f3e-7c00-7000-8000-000000000042',
  key: '019a8f3e-7c00-7000-8000-000000000101',
  session: '019a8f3e-7c00-7000-8000-000000000151',
  client: '019a8f3e-7c00-7000-8000-000000000201',
  kycReference: '6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c11',
  paymentReference: '6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c22',
  strain: '019a8f3e-7c00-7000-8000-000000000301',
  location: '019a8f3e-7c00-7000-8000-000000000311',
  deliveryCharge: '019a8f3e-7c00-7000-8000-000000000321',
  cart: '019a8f3e-7c00-7000-8000-000000000401',
  order: '019a8f3e-7c00-7000-8000-000000000501',
  orderLine: '019a8f3e-7c00-8000-8000-000000000500',
  sale: '019a8f3e-7c00-7000-8000-000000000551',
  nftSale: '019a8f3e-7c00-7000-8000-000000000601',
  transaction: '019a8f3e-7c00-7000-8000-000000000701',
  webhook: '019a8f3e-7c00-7000-8000-000000000801',
  delivery: '019a8f3e-7c00-7000-8000-000000000811',
  payment: '019a8f3e-7c00-7000-8000-000000000511',
  refund: '019a8f3e-7c00-7000-8000-000000000521',
  shipment: '019a8f3e-7c00-7000-8000-000000000531',
  event: 'evt_000000000bn0000000301ja3dj7e0',
  auditEntry: '019a8f3e-7c00-7000-8000-000000000901',
};

export const wallets = {
  holder: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  administrator: '0x52908400098527886E0F7030069857D2E4169EE7',
};

export const createdAt = '2026-11-15T09:30:00.000Z';

/** The metadata of a list with one item. */
export const onlyPage = pageMeta({ page: 1, take: 10 }, 1);
export const onlyCursorPage = { ...onlyPage, nextCursor: null };

export const nft = { tokenId: 1001 };

export const planet = {
  id: ids.planet,
  number: 7,
  name: 'Verdane',
  description: 'Terraced valleys under two slow suns.',
  imageUrl: null,
};

export const strain = {
  id: ids.strain,
  name: 'Lunar Saffron',
  description: 'A slow evening strain with a warm, spiced finish.',
  type: 'INDICA',
  thc: 18.5,
  cbd: 0.8,
  flavour: 'saffron, pine',
  feelings: 'calm, happy',
  helpsWith: 'stress, sleep',
  retailPrice: 12.5,
  currency: 'EUR',
  stockQuantity: 240,
  isActive: true,
  isAvailable: true,
  imageUrl: 'https://images.example/lunar-saffron.png',
  strainImages: [
    { strainImageUrl: 'https://images.example/lunar-saffron.png', altText: 'A leaf of Lunar Saffron' },
  ],
  countryCodes: ['PRT'],
  strainLocations: [
    {
      id: ids.location,
      isActive: true,
      isAvailable: true,
      stockQuantity: 240,
      retailPrice: 12.5,
      currency: 'EUR',
      location: {
        country: 'Portugal',
        countryCode: 'PRT',
        currency: 'EUR',
        deliveryCharge: 4.9,
        freeDeliveryAbove: 75,
      },
    },
  ],
  planet: { number: 7, name: 'Verdane' },
} as const;

export const clientContact = {
  id: ids.client,
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.org',
};

const address = {
  address1: 'Rua do Exemplo 1',
  address2: '',
  landmark: 'Opposite the fountain',
  city: 'Lisboa',
  state: 'Lisboa',
  country: 'Portugal',
  countryCode: 'PRT',
  postalCode: '1000-001',
};

export const client = {
  ...clientContact,
  phoneCode: '+351',
  phoneCountryCode: 'PT',
  contactNumber: '200 555 010',
  title: '',
  marketingConsent: false,
  verificationType: 'KYC',
  externalReference: '',
  metadata: {},
  shipping: address,
  shippings: [address],
  clientCart: [{ id: ids.client }],
  clientBusinesses: [],
  adminApproval: 'PENDING',
  isKYCVerified: false,
  isActive: true,
  approvedAt: null,
  rejectedAt: null,
  kycLink: `https://identity.example/start?reference=${ids.kycReference}`,
  kycStatus: 'PENDING',
  kycVerifiedAt: null,
  nft,
  createdAt,
  updatedAt: createdAt,
};

export const order = {
  id: ids.order,
  invoiceNumber: 'KF-7Q2M9XH4TB',
  orderStatus: 'PENDING',
  status: 'PENDING',
  paymentStatus: 'PENDING',
  adminApproval: 'PENDING',
  subTotal: 75,
  deliveryCharge: 0,
  totalAmount: 75,
  taxRate: 23,
  taxAmount: 14.02,
  paidAmount: 0,
  refundedAmount: 0,
  refundDue: 0,
  totalQuantity: 6,
  currency: 'EUR',
  externalReference: 'shop-4711',
  metadata: {},
  createdAt,
  updatedAt: createdAt,
  client: clientContact,
  nft,
};

export const orderWithLines = {
  ...order,
  rejectionNote: null,
  note: null,
  shipping: client.shipping,
  orderLines: [
    {
      id: ids.orderLine,
      quantity: 6,
      productAmount: 12.5,
      unitPrice: 12.5,
      totalAmount: 75,
      strain: { id: ids.strain, name: 'Lunar Saffron', type: 'INDICA', imageUrl: null },
    },
  ],
};

export const payment = {
  id: ids.payment,
  amount: 75,
  currency: 'EUR',
  status: 'PAID',
  reference: ids.paymentReference,
  createdAt,
  paidAt: createdAt,
};

export const refund = {
  id: ids.refund,
  orderId: ids.order,
  amount: 12.5,
  currency: 'EUR',
  reason: 'The jar arrived broken.',
  orderLines: [{ id: ids.orderLine, quantity: 1 }],
  isRestocked: false,
  createdAt,
};

export const shipment = {
  id: ids.shipment,
  orderId: ids.order,
  carrier: 'CTT Expresso',
  trackingNumber: 'EA123456789PT',
  trackingUrl: 'https://carrier.example/track/EA123456789PT',
  orderLines: [{ id: ids.orderLine, quantity: 6 }],
  createdAt,
  updatedAt: createdAt,
};
