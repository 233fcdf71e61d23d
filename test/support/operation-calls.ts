import { randomInt, randomUUID } from 'node:crypto';
import {
  type Checkout,
  type CreatedKey,
  type CreatedWebhook,
  type Nonce,
  type Operation,
  type OrderWithLines,
  operationList,
  type Planet,
  type Sale,
} from '@keyfront/protocol';
import { formatEventId } from '../../packages/server/src/resources/events/event-id.ts';
import { readSessionId } from './begin-session.ts';
import { followEvents } from './event-data.ts';
import { draftSale, endOpenSale, listSale, signTypedData, typedDataOf } from './nft-sales.ts';
import { referenceIn } from './payment-data.ts';
import { samplePng } from './sample-images.ts';
import { dataOf, type Storefront, type TestCaller } from './storefront.ts';
import { insertCart, insertClient, insertStrain } from './storefront-data.ts';

/** What a request has beyond the method and path of its operation. */
export interface OperationCall {
  /** Replaces the first path parameter. */
  readonly id?: string;
  /** Replace the path parameters after the first one. */
  readonly otherParameters?: Record<string, string>;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** In place of the usual caller of the operation. */
  readonly caller?: TestCaller;
}

export type MakeCall = () => OperationCall | Promise<OperationCall>;

const everyOrder = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
// Far from the numbers that other tests choose by their digital keys, and from those of other workers.
let lastPlanetNumber = 500_000_000 + 1_000_000 * Number(process.env.VITEST_POOL_ID);

const letter = () => String.fromCharCode(65 + randomInt(26));

/**
 * A call for each operation, and for each variant of it, named by more words. By default a call is made from the examples
 * of the operation table: path parameters and ids in the body become new resources. Carts, orders and histories have this
 * length.
 */
export async function operationCalls(
  { holder, addDigitalKey, addWallet, withToken, admin, nobody, sql }: Storefront,
  length: number,
): Promise<Record<string, MakeCall>> {
  const { tokenId, account, signedIn } = holder;
  const create = async <Data>(caller: TestCaller, path: string, body: object) =>
    dataOf<Data>(await caller.ask('POST', path, { body }));
  const strainIds: string[] = [];
  while (strainIds.length < length) strainIds.push((await insertStrain(sql, { stock: 1_000_000 })).id);
  const cartItems = strainIds.map((strainId) => ({ strainId, quantity: 1 }));

  // Digital keys of their own, so that no other call ends these.
  for (let listing = 0; listing < 2; listing++) await listSale(await addDigitalKey(), sql);

  const newStrain = () => ({
    name: `Strain ${randomUUID()}`,
    type: 'HYBRID',
    thc: 18,
    cbd: 1,
    retailPrice: 10,
    currency: 'EUR',
    stockQuantity: 5,
    planet: '1',
  });
  const newPlanet = () => ({ number: ++lastPlanetNumber, name: `Planet ${randomUUID()}` });
  const keyId = async () => (await create<CreatedKey>(signedIn, '/keys', { keyName: 'Another' })).id;
  const newWebhook = { url: 'https://192.0.32.8/hook', eventTypes: ['order.*'] };
  // A digital key has few webhooks. Those that a call has used have served.
  const deleteUsedWebhooks = () =>
    sql(
      `DELETE FROM webhooks WHERE token_id = $1 AND (description = 'Created' OR EXISTS (
         SELECT FROM webhook_secrets WHERE webhook_id = webhooks.id AND expires_at IS NOT NULL
       ) OR EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = webhooks.id AND event_type = 'webhook.test'))`,
      [tokenId],
    );
  const newWebhookId = async () => {
    await deleteUsedWebhooks();
    return (await create<CreatedWebhook>(holder, '/webhooks', newWebhook)).id;
  };
  const newDeliveryId = async (ofWebhook: string) => {
    const [row] = await sql<{ id: string }>(
      `INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type)
       SELECT id, token_id, holder_id, 'order.created' FROM webhooks WHERE id = $1 RETURNING id`,
      [ofWebhook],
    );
    return row?.id ?? '';
  };
  // One for all calls that leave it as it is.
  let sharedWebhookId: Promise<string> | undefined;
  const webhookId = () => {
    sharedWebhookId ??= newWebhookId();
    return sharedWebhookId;
  };
  const planetId = async () => (await create<Planet>(admin, '/admin/planets', newPlanet())).id;
  const clientId = async () => (await insertClient(sql, tokenId)).id;
  const kycReference = async () => {
    const [row] = await sql<{ kyc_reference: string }>('SELECT kyc_reference FROM clients WHERE id = $1', [
      (await insertClient(sql, tokenId, { isKycVerified: false })).id,
    ]);
    return row?.kyc_reference ?? '';
  };
  const shopper = async () => {
    const id = await clientId();
    return { id, cartId: await insertCart(sql, tokenId, id, cartItems) };
  };
  const orderId = async () =>
    (await create<OrderWithLines>(holder, '/dapp/orders', { clientId: (await shopper()).id })).id;
  const movedOrderId = async () => {
    const id = await orderId();
    for (const orderStatus of ['PROCESSING', 'SHIPPED', 'DELIVERED'].slice(0, length - 1)) {
      dataOf(await admin.ask('PATCH', `/admin/orders/${id}`, { body: { orderStatus } }));
    }
    return id;
  };
  const saleId = async () => {
    const { id } = await create<Sale>(holder, '/dapp/sales', { clientId: await clientId() });
    for (let change = 1; change < length; change++) {
      dataOf(await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { description: `Part ${change}` } }));
    }
    return id;
  };
  const signedStep = async (sale: Awaited<ReturnType<typeof draftSale>>) => ({
    id: sale.id,
    body: { tokenId: sale.tokenId, signature: await signTypedData(account, typedDataOf(sale)) },
  });
  /** A caller with a session of its own, which the call ends. */
  const newSession = async (of = holder) => ({ caller: withToken(await of.beginSession()) });
  /** Invalidates the cached catalogue. */
  const changeCatalogue = () => planetId();

  /** Creates the resource that a path parameter or a field of a body names. */
  const subjects: Readonly<Record<string, () => Promise<string>>> = {
    clientId,
    planetId,
    orderId: movedOrderId,
    saleId,
    strainId: async () => (await insertStrain(sql)).id,
    cartId: async () => (await shopper()).cartId,
    webhookId,
    holderId: async () => holder.holderId,
    sessionId: async () => readSessionId(await holder.beginSession()),
    // Those of the digital key itself have happened before.
    eventId: async () => {
      const [event] = await followEvents(holder, 'key.created').waitFor('key.created');
      return event?.id ?? '';
    },
  };
  const withSubjects = async (fields: object): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(fields).map(async ([name, value]) => [name, (await subjects[name]?.()) ?? value]),
      ),
    );
  const callFromExample =
    (operation: Operation): MakeCall =>
    async () => {
      const { parameters, query, body } = operation;
      const { example } = operation;
      const required = (query?.required ?? []).map((name): [string, string] => [
        name,
        String(example.query?.[name] ?? ''),
      ]);
      const [name] = Object.keys(parameters?.properties ?? {});
      const id = name === undefined ? undefined : await subjects[name]?.();
      if (name !== undefined && id === undefined) throw new Error(`${operation.id} needs a call of its own`);
      return {
        ...(id === undefined ? {} : { id }),
        ...(required.length > 0 ? { query: new URLSearchParams(required).toString() } : {}),
        ...(body ? { body: await withSubjects(example.body ?? {}) } : {}),
      };
    };

  /** Calls that the examples do not give: unique values, signatures, a certain state. */
  const special: Readonly<Record<string, MakeCall>> = {
    requestNonce: () => ({ body: { walletAddress: account.address } }),
    signIn: async () => {
      const { message } = await create<Nonce>(nobody, '/auth/nonce', { walletAddress: account.address });
      return { body: { message, signature: await account.signMessage({ message }) } };
    },

    signOut: () => newSession(),
    // Those of another wallet: tests go on with the sessions of the holder.
    endSessions: async () => newSession(await addWallet()),

    updateKey: async () => ({ id: await keyId(), body: { keyName: 'Renamed' } }),
    'updateKey and its settings': async () => ({ id: await keyId(), body: { scopes: ['orders:read'] } }),
    rotateKey: async () => ({ id: await keyId(), body: {} }),
    revokeKey: async () => ({ id: await keyId() }),
    changePrimaryNft: () => ({ body: { tokenId } }),

    'listPlanets after a change': async () => {
      await changeCatalogue();
      return {};
    },
    'listStrains after a change': async () => {
      await changeCatalogue();
      return {};
    },
    getStrain: () => ({ id: String(strainIds[0]) }),
    'getStrain after a change': async () => {
      await changeCatalogue();
      return { id: String(strainIds[0]) };
    },

    'listDeliveryCharges after a change': async () => {
      await changeCatalogue();
      return {};
    },

    createClient: () => ({
      body: { firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` },
    }),
    reportKyc: async () => ({ body: { reference: await kycReference(), status: 'VERIFIED' } }),
    updateClient: async () => ({ id: await clientId(), body: { firstName: 'Adé' } }),

    'archiveClient and erase': async () => ({ id: await clientId(), query: 'erase=true' }),

    addToCart: async () => ({ body: { clientId: await clientId(), cartItems } }),
    replaceCart: async () => ({ id: (await shopper()).cartId, body: { items: cartItems } }),

    createOrder: async () => ({ body: { clientId: (await shopper()).id } }),
    'createOrder of items': async () => ({ body: { clientId: await clientId(), items: cartItems } }),
    getOrder: async () => ({ id: await orderId() }),
    cancelOrder: async () => ({ id: await orderId(), body: { orderStatus: 'CANCELLED' } }),
    exportOrders: () => ({ query: everyOrder }),
    'exportOrders as CSV': () => ({ query: everyOrder, headers: { accept: 'text/csv' } }),

    reportPayment: async () => {
      const {
        id,
        totalAmount: amount,
        currency,
      } = await create<OrderWithLines>(holder, '/dapp/orders', {
        clientId: (await shopper()).id,
      });
      const { payUrl } = await create<Checkout>(holder, '/payments/checkout', { orderId: id });
      return { body: { reference: referenceIn(payUrl), status: 'PAID', amount, currency } };
    },

    updateSale: async () => ({ query: `id=${await saleId()}`, body: { stage: 'ONGOING' } }),

    createNftSale: async () => {
      await endOpenSale(sql, holder);
      return { body: { tokenId, price: '1.5' } };
    },
    getNftSale: async () => ({ id: (await draftSale(holder, sql)).id }),
    withdrawNftSale: async () => ({ id: (await draftSale(holder, sql)).id }),
    'listNftListings after a change': async () => {
      await listSale(holder, sql);
      return {};
    },
    updateNftSale: async () => signedStep(await draftSale(holder, sql)),
    'updateNftSale to cancel': async () => signedStep(await listSale(holder, sql)),

    setDeliveryCharge: () => ({
      body: { countryCode: 'ISL', currency: `X${letter()}${letter()}`, deliveryCharge: 1 },
    }),
    createWebhook: async () => {
      await deleteUsedWebhooks();
      return { body: { ...newWebhook, description: 'Created' } };
    },
    deleteWebhook: async () => ({ id: await newWebhookId() }),
    listWebhookDeliveries: async () => {
      const id = await webhookId();
      await newDeliveryId(id);
      return { id };
    },
    testWebhook: async () => ({ id: await newWebhookId() }),
    // A webhook has one replay at a time, and nothing dispatches here.
    replayWebhook: async () => ({
      id: await newWebhookId(),
      body: { after: formatEventId({ transactionNumber: 1, sequenceNumber: 1 }, new Date().toISOString()) },
    }),
    retryWebhookDelivery: async () => {
      const id = await webhookId();
      return { id, otherParameters: { deliveryId: await newDeliveryId(id) } };
    },
    rotateWebhookSecret: async () => ({ id: await newWebhookId() }),
    updateWebhook: async () => ({ id: await webhookId(), body: { description: 'Another' } }),
    streamEvents: () => ({ headers: { accept: 'application/json' } }),
    uploadImage: async () => ({ body: await samplePng(), headers: { 'content-type': 'image/png' } }),
    createPlanet: () => ({ body: newPlanet() }),
    createStrain: () => ({ body: newStrain() }),
    updateStrain: async () => ({ id: (await insertStrain(sql)).id, body: { stockChange: 5 } }),
    'updateStrain to another planet': async () => ({
      id: (await insertStrain(sql)).id,
      body: { planet: await planetId() },
    }),
    updateAdminClient: async () => ({ id: await clientId(), body: { isActive: false } }),
    updateAdminOrder: async () => ({ id: await orderId(), body: { adminApproval: 'VERIFIED' } }),
    'updateAdminOrder to cancel': async () => ({ id: await orderId(), body: { orderStatus: 'CANCELLED' } }),
  };
  const fromExamples = operationList.map((operation) => [operation.id, callFromExample(operation)] as const);
  return { ...Object.fromEntries(fromExamples), ...special };
}
