import type { KeyfrontEvent } from '@keyfront/sdk';
import type { IconName } from '../../components/icon.tsx';
import { fullName } from '../../format/full-name.ts';

interface DescribedEvent {
  readonly icon: IconName;
  /** What happened, such as `Order approved`. */
  readonly what: string;
  /** The resource, by a name that its owner knows. */
  readonly name: string;
  /** The page that shows the resource. */
  readonly to: string;
}

interface Subject {
  readonly label: string;
  readonly icon: IconName;
  readonly to: (id: string) => string;
}

const order: Subject = { label: 'Order', icon: 'orders', to: (id) => `/orders/${id}` };
const trade: Subject = { label: 'Digital key', icon: 'market', to: () => '/marketplace' };

/** By the first part of the type. */
const subjects: Readonly<Record<string, Subject>> = {
  client: { label: 'Client', icon: 'clients', to: (id) => `/clients/${id}` },
  order,
  payment: { ...order, label: 'Payment' },
  shipment: { ...order, label: 'Shipment', icon: 'delivery' },
  sale: { label: 'Sale', icon: 'sales', to: () => '/sales' },
  strain: { label: 'Strain', icon: 'catalogue', to: () => '/catalogue' },
  nft_sale: { ...trade, label: 'Offer' },
  nft: trade,
  key: { label: 'API key', icon: 'keys', to: () => '/keys' },
  webhook: { label: 'Webhook', icon: 'webhooks', to: (id) => `/webhooks/${id}` },
};
const unknownSubject: Subject = { label: 'Event', icon: 'events', to: () => '/events' };

/** The second parts of types that are no words of their own. */
const verbs: Readonly<Record<string, string>> = {
  kyc_verified: 'identity verified',
  kyc_rejected: 'identity check failed',
  refund_due: 'to be refunded',
  stage_changed: 'moved to another stage',
  reorganised: 'transaction dropped by the chain',
};

/** Describes an event in a line, with the page that shows its resource. */
export function describeEvent({ type, data }: KeyfrontEvent): DescribedEvent {
  const [noun = '', verb = ''] = type.split('.');
  const { label, icon, to } = subjects[noun] ?? unknownSubject;
  return {
    icon,
    what: `${label} ${verbs[verb] ?? verb.replaceAll('_', ' ')}`,
    name: nameOf(data),
    // No page shows an archived client.
    to: type === 'client.archived' ? '/clients' : to('carrier' in data ? data.orderId : data.id),
  };
}

function nameOf(data: KeyfrontEvent['data']): string {
  if ('invoiceNumber' in data) return data.invoiceNumber;
  if ('firstName' in data) return fullName(data);
  if ('stage' in data) return data.client ? fullName(data.client) : '';
  if ('keyName' in data) return data.keyName;
  if ('url' in data) return data.url;
  if ('tokenId' in data) return `#${data.tokenId}`;
  return 'name' in data ? data.name : '';
}
