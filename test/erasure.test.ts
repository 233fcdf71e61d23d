import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderStore } from '@keyfront/file-store';
import {
  type Checkout,
  type Client,
  type CreatedClient,
  type CreatedWebhook,
  type DecisionResults,
  type OrderWithLines,
  operationList,
  type Sale,
  type Shipment,
  type WebhookDeliveryList,
} from '@keyfront/protocol';
import { afterAll, expect, inject, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { dumpDatabase } from './support/dump-database.ts';
import { findOperation } from './support/operation-requests.ts';
import { archiveOf } from './support/order-archives.ts';
import { type Markers, plantMarkers } from './support/plant-markers.ts';
import { samplePng } from './support/sample-images.ts';
import { dataOf, openCallers, type Reply, startStorefrontService } from './support/storefront.ts';
import { insertStrain } from './support/storefront-data.ts';
import { until } from './support/until.ts';
import { startReceiver } from './support/webhook-receiver.ts';

/**
 * Sends a text of its own in every text field of every operation, erases the client, and looks for each of these texts in everything that
 * the service has written.
 */

const receiver = await startReceiver();
const imageFolder = join(inject('runFolder'), `images-${randomUUID()}`);
const archiveStore = createFolderStore(join(imageFolder, 'orders'));
const started = await startStorefrontService(
  (url) => new ChangeFeed({ url }),
  ({ loginUrl }) => ({
    isDemo: true,
    imageStore: createFolderStore(imageFolder),
    archiveStore,
    deliveries: { url: loginUrl, timing: { dispatchMs: 20, idleMs: 20, pollMs: 100 } },
  }),
);
const storefront = await openCallers(started);
const { holder, admin, sql } = storefront;
const { archive, makeOld, readArchivedText } = archiveOf(storefront, archiveStore);
const { logLines } = started.service;
afterAll(async () => {
  await started.service.close();
  await receiver.close();
});

// The endpoint answers with what it got, as those do that are being debugged. The service keeps the beginning.
receiver.paths.set('/echo', (response) => response.end(receiver.at('/echo').at(-1)?.body));
const webhook = dataOf<CreatedWebhook>(
  await holder.ask('POST', '/webhooks', {
    body: {
      url: `${receiver.url}/echo`,
      eventTypes: ['client.*', 'order.*', 'sale.*', 'payment.*', 'shipment.*'],
    },
  }),
);
dataOf(
  await admin.ask('POST', '/admin/images', {
    body: await samplePng(),
    headers: { 'content-type': 'image/png' },
  }),
);
const { id: strainId } = await insertStrain(sql);

/** Operations with texts that are not about a client: of the holder, of the platform and its catalogue. */
const aboutNoClient = [
  'requestNonce',
  'createKey',
  'updateKey',
  'createWebhook',
  'updateWebhook',
  'createPlanet',
  'updatePlanet',
  'listStrains',
  'createStrain',
  'updateStrain',
  'listNftListings',
];

/** What invoices need: the name, and the address that the order was shipped to. */
const keptForInvoices = [
  'updateClient.firstName',
  'updateClient.lastName',
  'createOrder.shippingAddress.address1',
  'createOrder.shippingAddress.address2',
  'createOrder.shippingAddress.landmark',
  'createOrder.shippingAddress.city',
  'createOrder.shippingAddress.state',
  'createOrder.shippingAddress.country',
  'createOrder.shippingAddress.postalCode',
  // The order in the books of the storefront.
  'updateOrder.externalReference',
  'createShipment.carrier',
  'updateShipment.carrier',
];

/** A request with an `Idempotency-Key`, which can be sent again, and the first response to it. */
interface KeyedRequest {
  readonly operation: string;
  readonly first: Reply;
  readonly repeat: () => Promise<Reply>;
}

/** Does everything with a client that can be done. Returns the texts that were sent on the way. */
async function liveThrough() {
  const markers: Markers = new Map();
  const keyed: KeyedRequest[] = [];
  const body = (operation: string, further: object = {}) => ({
    ...plantMarkers(findOperation(operation), 'body', markers),
    ...further,
  });
  const search = async (operation: string, caller = holder as typeof admin | typeof holder) => {
    const { path, query, example } = findOperation(operation);
    const planted = plantMarkers(findOperation(operation), 'query', markers);
    const required = (query?.required ?? []).map((name) => [name, example.query?.[name] ?? '']);
    const fields = { ...Object.fromEntries(required), ...planted };
    dataOf(await caller.ask('GET', `${path}?${new URLSearchParams(fields)}`));
  };
  const post = async <Data>(
    operation: string,
    path: string,
    content?: object,
    caller: typeof holder | typeof admin = holder,
  ): Promise<Data> => {
    const repeat = caller.prepare('POST', path, {
      ...(content ? { body: content } : {}),
      headers: { 'idempotency-key': randomUUID() },
    });
    const first = await repeat();
    keyed.push({ operation, first, repeat });
    return dataOf<Data>(first);
  };
  const patch = async <Data>(path: string, content: object, caller: typeof holder | typeof admin = holder) =>
    dataOf<Data>(await caller.ask('PATCH', path, { body: content }));

  const { id } = await post<CreatedClient>('createClient', '/dapp/clients', body('createClient'));
  const path = `/dapp/clients/${id}`;
  const address = { countryCode: 'PRT', address1: 'Rua do Exemplo 1' };
  const changed = await patch<Client>(path, body('updateClient'));
  expect(changed.firstName).toBe(markers.get('updateClient.firstName'));
  await patch(path, { shipping: address });
  await post('readMedicalRecord', `${path}/medical-record`, body('readMedicalRecord'));
  await post('createKycLink', `${path}/kyc-link`, body('createKycLink', { anything: 'ignored' }));
  const sale = await post<Sale>('createSale', '/dapp/sales', body('createSale', { clientId: id }));
  await patch(`/dapp/sales?id=${sale.id}`, body('updateSale'));
  const decision = { adminApproval: 'REJECTED' };
  await patch(`/admin/clients/${id}`, body('updateAdminClient', decision), admin);
  const decide = async (operation: string, decided: string) =>
    dataOf<DecisionResults>(
      await admin.ask('POST', findOperation(operation).path, {
        body: body(operation, { ...decision, ids: [decided] }),
      }),
    );
  await decide('decideAdminClients', id);
  await patch(`/admin/clients/${id}`, { adminApproval: 'VERIFIED', isKYCVerified: true }, admin);
  for (const operation of ['listClients', 'listCarts', 'listOrders', 'exportOrders']) await search(operation);
  for (const operation of ['listAdminClients', 'listAdminOrders']) await search(operation, admin);

  const cartItems = [{ strainId, quantity: 1 }];
  await post('addToCart', '/dapp/carts', { clientId: id, cartItems });
  const { id: orderId } = await post<OrderWithLines>(
    'createOrder',
    '/dapp/orders',
    body('createOrder', { clientId: id }),
  );
  await patch(`/dapp/orders/${orderId}`, body('updateOrder'));
  await post<Checkout>('openCheckout', '/payments/checkout', body('openCheckout', { orderId }));
  await post('cancelCheckout', `/payments/checkout/${orderId}/cancel`);
  await patch(`/admin/orders/${orderId}`, body('updateAdminOrder', decision), admin);

  const place = async () =>
    dataOf<OrderWithLines>(
      await holder.ask('POST', '/dapp/orders', {
        body: { clientId: id, items: cartItems, shippingAddress: address },
      }),
    );
  await decide('decideAdminOrders', (await place()).id);
  const { id: sentId } = await place();
  await patch(`/admin/orders/${sentId}`, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' }, admin);
  const shipments = `/admin/orders/${sentId}/shipments`;
  const parcel = await post<Shipment>('createShipment', shipments, body('createShipment'), admin);
  await patch(`${shipments}/${parcel.id}`, body('updateShipment'), admin);
  await post('createRefund', `/admin/orders/${sentId}/refunds`, body('createRefund'), admin);

  // All of this has been delivered, and the endpoint has repeated it.
  const deliveries = await until(
    async () => {
      const listed = await holder.ask('GET', `/webhooks/${webhook.id}/deliveries?take=100`);
      return dataOf<WebhookDeliveryList>(listed).deliveries;
    },
    (listed) =>
      listed.every(({ status }) => status === 'DELIVERED') &&
      ['order.rejected', 'sale.stage_changed', 'client.approved'].every((type) =>
        listed.some(({ eventType, responseBody }) => eventType === type && responseBody?.includes(id)),
      ),
  );
  const created = deliveries.find(
    ({ eventType, responseBody }) => eventType === 'client.created' && responseBody?.includes(id),
  );
  await post('retryWebhookDelivery', `/webhooks/${webhook.id}/deliveries/${created?.id}/retry`);
  return { id, markers, keyed };
}

/** Everything that the service has written, wherever. */
async function readEverything(): Promise<Readonly<Record<string, string>>> {
  const files = await readdir(imageFolder, { recursive: true, withFileTypes: true });
  const images = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return {
    database: await dumpDatabase(sql),
    archives: await readArchivedText(),
    images: (await Promise.all(images)).join('\n'),
    log: logLines.join('\n'),
  };
}

const erase = async (id: string) => dataOf(await holder.ask('DELETE', `/dapp/clients/${id}?erase=true`));

it('has a text for every field of every operation', () => {
  const withTexts = operationList
    .filter((operation) => {
      const markers: Markers = new Map();
      plantMarkers(operation, 'body', markers);
      plantMarkers(operation, 'query', markers);
      return markers.size > 0;
    })
    .map(({ id }) => id);
  const aboutClients = [
    ...['createClient', 'updateClient', 'readMedicalRecord', 'updateAdminClient', 'createSale', 'updateSale'],
    ...['createOrder', 'updateOrder', 'updateAdminOrder', 'openCheckout', 'createKycLink'],
    ...['createShipment', 'updateShipment', 'createRefund', 'decideAdminOrders', 'decideAdminClients'],
    ...['listClients', 'listCarts', 'listOrders', 'exportOrders', 'listAdminClients', 'listAdminOrders'],
  ];
  // They call the same rules as the operations of administrators.
  const inSandbox = ['updateSandboxClient', 'updateSandboxOrder', 'createSandboxShipment'];
  expect(withTexts.sort()).toEqual([...aboutClients, ...inSandbox, ...aboutNoClient].sort());
});

/** The responses to events that a client was archived. */
const listAnnounced = () =>
  sql<{ responseStatus: number; responseBody: string | null }>(
    `SELECT response_status AS "responseStatus", response_body AS "responseBody" FROM keyfront.webhook_deliveries
     WHERE event_type = 'client.archived' AND status = 'DELIVERED'`,
  );

/** Archives all orders of a client. */
async function archiveOrdersOf(clientId: string): Promise<void> {
  await sql(
    `UPDATE orders SET order_status = CASE WHEN order_status = 'SHIPPED' THEN 'DELIVERED' ELSE 'CANCELLED' END
     WHERE client_id = $1 AND order_status NOT IN ('DELIVERED', 'CANCELLED')`,
    [clientId],
  );
  await sql(`UPDATE sales SET stage = 'CLOSED' WHERE client_id = $1`, [clientId]);
  const orders = await sql<{ id: string }>('SELECT id FROM orders WHERE client_id = $1', [clientId]);
  await makeOld(
    orders.map(({ id }) => id),
    '2024-03-15T00:00:00Z',
  );
  // An order rests for longer than a response is stored.
  await sql('DELETE FROM idempotency_keys WHERE subject_id = ANY ($1)', [orders.map(({ id }) => id)]);
  await archive();
  expect(await sql('SELECT FROM orders WHERE client_id = $1', [clientId])).toEqual([]);
}

it.each(['in the tables', 'in files'])(
  'leaves of a client whose orders are %s nothing but what invoices need, and of another client everything',
  {
    tags: ['long'],
  },
  async (place) => {
    const erased = await liveThrough();
    const other = await liveThrough();
    const before = await readEverything();
    // What was searched for and the address of a customer are stored nowhere, and a medical record only encrypted.
    const isHidden = (field: string) => /^(list|export)|(medicalRecord|customerIp)$/.test(field);
    for (const [field, marker] of [...erased.markers, ...other.markers]) {
      expect([field, before.database?.includes(marker)]).toEqual([field, !isHidden(field)]);
    }
    const repliesOf = async ({ keyed }: typeof other) => {
      const replies = [];
      for (const { operation, repeat } of keyed) replies.push({ operation, reply: await repeat() });
      return replies;
    };
    const isRepeated = ({ operation }: { operation: string }) => operation !== 'readMedicalRecord';
    for (const { operation, reply } of (await repliesOf(erased)).filter(isRepeated)) {
      const { first } = erased.keyed.find((each) => each.operation === operation) ?? {};
      expect([operation, reply.text]).toEqual([operation, first?.text]);
    }

    if (place === 'in files') await archiveOrdersOf(erased.id);
    const isStored = ({ operation }: { operation: string }) =>
      place === 'in the tables' || /Client|Medical|Kyc|Cart|Delivery/.test(operation);
    const announcedBefore = (await listAnnounced()).length;
    await erase(erased.id);
    const after = await readEverything();
    const found = Object.entries(after).flatMap(([where, text]) =>
      [...erased.markers]
        .filter(([, marker]) => text.includes(marker))
        .map(([field]) =>
          ['database', 'archives'].includes(where) && keptForInvoices.includes(field)
            ? field
            : `${where}: ${field}`,
        ),
    );
    expect([...new Set(found)].sort()).toEqual([...keptForInvoices].sort());
    // The event of the erasure itself names the client once more, and the endpoint repeats it.
    const announced = await until(listAnnounced, (rows) => rows.length > announcedBefore);
    for (const each of announced) expect(each).toEqual({ responseStatus: 200, responseBody: null });

    const stored = await repliesOf({ ...erased, keyed: erased.keyed.filter(isStored) });
    for (const { operation, reply } of stored) {
      const expected =
        operation === 'readMedicalRecord'
          ? [404, 'RESOURCE_NOT_FOUND']
          : [410, 'IDEMPOTENCY_RESPONSE_ERASED'];
      expect([operation, reply.status, reply.envelope.code]).toEqual([operation, ...expected]);
      for (const [field, marker] of erased.markers)
        expect([field, reply.text.includes(marker)]).toEqual([field, false]);
    }

    for (const [field, marker] of other.markers) {
      expect([field, after.database?.includes(marker)]).toEqual([field, !isHidden(field)]);
    }
    for (const { operation, reply } of (await repliesOf(other)).filter(isRepeated)) {
      const { first } = other.keyed.find((each) => each.operation === operation) ?? {};
      expect([operation, reply.status, reply.text]).toEqual([operation, first?.status, first?.text]);
    }
  },
);
