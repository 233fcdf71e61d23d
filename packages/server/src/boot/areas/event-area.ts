import { type ResolveHost, resolveHost } from '@keyfront/webhook-sender';
import type { FastifyBaseLogger } from 'fastify';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { describeClientsAt } from '../../resources/clients/client-rules.ts';
import { createEventDescriber, type DescribeSnapshots } from '../../resources/events/describe-events.ts';
import { EventHub } from '../../resources/events/event-hub.ts';
import { addEventMetrics } from '../../resources/events/event-metrics.ts';
import { addEventRoutes } from '../../resources/events/event-routes.ts';
import { readWaitingSeconds } from '../../resources/events/event-rules.ts';
import type { StreamDependencies } from '../../resources/events/stream-events.ts';
import { describeKeysAt } from '../../resources/keys/key-rules.ts';
import { describeNftSalesAt } from '../../resources/nft-sales/nft-sale-rules.ts';
import { listOrdersAt, listShipmentsAt } from '../../resources/orders/order-rules.ts';
import { listSalesAt } from '../../resources/sales/sale-rules.ts';
import { describeStrainsAt } from '../../resources/strains/strain-rules.ts';
import { describeTransactionsAt } from '../../resources/transactions/transaction-rules.ts';
import { addDeliveryMetrics } from '../../resources/webhooks/delivery/delivery-metrics.ts';
import { readBacklog } from '../../resources/webhooks/delivery/delivery-rules.ts';
import { type DeliveryTiming, DeliveryWorker } from '../../resources/webhooks/delivery/delivery-worker.ts';
import type { DeliveryLimits } from '../../resources/webhooks/delivery/open-requests.ts';
import { addWebhookRoutes } from '../../resources/webhooks/webhook-routes.ts';
import { listWebhooksAt } from '../../resources/webhooks/webhook-rules.ts';
import type { Area } from './area.ts';

export interface EventDependencies {
  readonly logger: FastifyBaseLogger;
  /** Encrypts the secrets of webhooks. Null: there are none. */
  readonly dataCipher: DataCipher | null;
  /** The timing of event streams, for tests. */
  readonly eventStreams?: Pick<StreamDependencies, 'heartbeatMs' | 'maxDurationMs'>;
  /** How long events are kept. The default is 30 days. */
  readonly eventRetentionMs?: number;
  /** Sends events to webhooks. Without it another process has to. */
  readonly deliveries?: {
    /** The database without a connection pooler. */
    readonly url: string;
    readonly timing?: Partial<DeliveryTiming>;
    readonly limits?: DeliveryLimits;
  };
  /** Finds the addresses of the endpoints of webhooks. Tests have names of their own. */
  readonly resolveHost?: ResolveHost;
}

const defaultRetentionMs = 30 * 24 * 3_600_000;

/** The log of events, its streams, and webhooks with their deliveries. */
export function addEvents(area: Area, dependencies: EventDependencies): void {
  const { app, router, registry, database, imageUrls, isDemo, onStop } = area;
  const {
    logger,
    dataCipher: cipher,
    deliveries,
    eventRetentionMs: retentionMs = defaultRetentionMs,
  } = dependencies;
  const describe = createEventDescriber({
    describers: describersOf(area),
    publishUrl: (url) => imageUrls.publish(url),
  });
  const hub = new EventHub({
    database,
    describe,
    onError: (error) => logger.warn({ err: error }, 'Events could not be read: retrying'),
  });
  onStop(() => hub.close());
  addEventMetrics(registry, {
    countStreams: () => hub.subscribers,
    readWaitingSeconds: () => readWaitingSeconds(database),
  });
  addEventRoutes(router, database, { ...dependencies.eventStreams, hub, describe, retentionMs });

  const endpoints = { allowsLoopback: isDemo, resolve: dependencies.resolveHost ?? resolveHost };
  addWebhookRoutes(router, database, { cipher, endpoints, retentionMs });
  if (!deliveries || !cipher) return;
  const onAttempt = addDeliveryMetrics(registry, () => readBacklog(database));
  const worker = new DeliveryWorker({
    ...{ ...deliveries, database, cipher, describe, endpoints, logger, onAttempt },
  });
  // Events contain URLs of this service, which it knows when it listens.
  app.addHook('onListen', async () => worker.start());
  onStop(() => worker.stop());
}

/** How each kind of resource appears in events. */
function describersOf({ kycLinks, marketplace }: Area): Readonly<Record<string, DescribeSnapshots>> {
  return {
    client: (tx, snapshots) => describeClientsAt(tx, snapshots, kycLinks),
    order: listOrdersAt,
    payment: listOrdersAt,
    shipment: listShipmentsAt,
    sale: listSalesAt,
    strain: describeStrainsAt,
    nft_sale: (tx, snapshots) => describeNftSalesAt(tx, snapshots, marketplace),
    nft: describeTransactionsAt,
    key: describeKeysAt,
    webhook: listWebhooksAt,
  };
}
