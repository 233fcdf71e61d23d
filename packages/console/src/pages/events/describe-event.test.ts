import type { KeyfrontEvent } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { describeEvent } from './describe-event.ts';

const describe = (type: string, data: object) =>
  describeEvent({ type, data: { id: '7', ...data } } as KeyfrontEvent);

it.each([
  ['order.approved', { invoiceNumber: 'KF-1' }, 'Order approved', 'KF-1', '/orders/7'],
  ['payment.paid', { invoiceNumber: 'KF-1' }, 'Payment paid', 'KF-1', '/orders/7'],
  ['payment.refund_due', { invoiceNumber: 'KF-1' }, 'Payment to be refunded', 'KF-1', '/orders/7'],
  [
    'shipment.created',
    { invoiceNumber: 'KF-1', carrier: 'CTT', orderId: '8' },
    'Shipment created',
    'KF-1',
    '/orders/8',
  ],
  [
    'client.kyc_rejected',
    { firstName: 'Ada', lastName: 'L' },
    'Client identity check failed',
    'Ada L',
    '/clients/7',
  ],
  ['client.archived', { firstName: 'Ada', lastName: 'L' }, 'Client archived', 'Ada L', '/clients'],
  ['sale.stage_changed', { stage: 'CLOSED', client: null }, 'Sale moved to another stage', '', '/sales'],
  ['strain.out_of_stock', { name: 'Rose' }, 'Strain out of stock', 'Rose', '/catalogue'],
  ['nft_sale.listed', { tokenId: 3 }, 'Offer listed', '#3', '/marketplace'],
  ['nft.reorganised', { tokenId: 3 }, 'Digital key transaction dropped by the chain', '#3', '/marketplace'],
  ['key.created', { keyName: 'Shop', tokenId: 3 }, 'API key created', 'Shop', '/keys'],
  [
    'webhook.disabled',
    { url: 'https://shop.example/' },
    'Webhook disabled',
    'https://shop.example/',
    '/webhooks/7',
  ],
])('describes %s', (type, data, what, name, to) => {
  expect(describe(type, data)).toMatchObject({ what, name, to });
});

it('describes a type that a later version of the service has', () => {
  expect(describe('parcel.lost', {})).toMatchObject({ what: 'Event lost', name: '', to: '/events' });
});
