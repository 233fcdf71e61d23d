import type { KeyfrontEvent } from '@keyfront/sdk';
import type { IconName } from '../../components/icon.tsx';
import { fullName } from '../../format/full-name.ts';
import { texts } from '../../texts/event-names.ts';

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

const order: Subject = { label: texts.order, icon: 'orders', to: (id) => `/orders/${id}` };
const trade: Subject = { label: texts.digitalKey, icon: 'market', to: () => '/marketplace' };

/** By the first part of the type. */
const subjects: Readonly<Record<string, Subject>> = {
  client: { label: texts.client, icon: 'clients', to: (id) => `/clients/${id}` },
  order,
  payment: { ...order, label: texts.payment },
  shipment: { ...order, label: texts.shipment, icon: 'delivery' },
  sale: { label: texts.sale, icon: 'sales', to: () => '/sales' },
  strain: { label: texts.strain, icon: 'catalogue', to: () => '/catalogue' },
  nft_sale: { ...trade, label: texts.offer },
  nft: trade,
  key: { label: texts.apiKey, icon: 'keys', to: () => '/keys' },
  webhook: { label: texts.webhook, icon: 'webhooks', to: (id) => `/webhooks/${id}` },
};
const unknownSubject: Subject = { label: texts.event, icon: 'events', to: () => '/events' };

/** The second parts of types that are no words of their own. */
const verbs: Readonly<Record<string, string>> = {
  kyc_verified: texts.identityVerified,
  kyc_rejected: texts.identityCheckFailed,
  refund_due: texts.toBeRefunded,
  stage_changed: texts.movedToAnotherStage,
  reorganised: texts.transactionDroppedByChain,
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
