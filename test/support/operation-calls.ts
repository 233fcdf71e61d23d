import { randomInt, randomUUID } from 'node:crypto';
import {
  type Checkout,
  type CreatedKey,
  type CreatedWebhook,
  type ExampleRequest,
  type Nonce,
  type Operation,
  type OrderWithLines,
  operationList,
  operations,
  type Planet,
  type Sale,
  type Shipment,
} from '@keyfront/protocol';
import { ids } from '../../packages/protocol/src/operations/examples.ts';
import { formatEventId } from '../../packages/server/src/resources/events/event-id.ts';
import { readSessionId } from './begin-session.ts';
import { followEvents } from './event-data.ts';
import { draftSale, endOpenSale, listSale, signTypedData, typedDataOf } from './nft-sales.ts';
import { referenceIn } from './payment-data.ts';
import { samplePng } from './sample-images.ts';
import { dataOf, type Storefront, type TestCaller, type TestHolder } from './storefront.ts';
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
  readonly caller?: TestCaller | TestHolder;
}

export type MakeCall = () => OperationCall | Promise<OperationCall>;

const letter = () => String.fromCharCode(65 + randomInt(26));

/**
 * A call for each operation and each variant of it, named by the words behind the id. A call is made from the example in the
 * operation table, with new resources in place of those of the example. Carts, orders and histories have this length.
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
  const planetId = async () =>
    (await create<Planet>(admin, '/admin/planets', await fill(operations.createPlanet.example.body))).id;
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
  const newOrder = async () =>
    create<OrderWithLines>(holder, '/dapp/orders', { clientId: (await shopper()).id });
  const orderId = async () => (await newOrder()).id;
  const change = async (id: string, body: object) =>
    dataOf<OrderWithLines>(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));
  const movedOrderId = async () => {
    const id = await orderId();
    for (const orderStatus of ['PROCESSING', 'SHIPPED', 'DELIVERED'].slice(0, length - 1)) {
      await change(id, { adminApproval: 'VERIFIED', orderStatus });
    }
    return id;
  };
  const paidOrderId = async () => {
    const id = await orderId();
    await change(id, { adminApproval: 'VERIFIED', paymentStatus: 'PAID' });
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
  let resetHolder: Promise<TestHolder> | undefined;
  /** Invalidates the cached catalogue. */
  const changeCatalogue = () => planetId();

  /** The resources of the examples, by their ids. Each call gets new ones. */
  const resources: Readonly<Record<string, () => Promise<string>>> = {
    [ids.client]: clientId,
    [ids.planet]: planetId,
    [ids.order]: orderId,
    [ids.sale]: saleId,
    [ids.strain]: async () => (await insertStrain(sql)).id,
    [ids.cart]: async () => (await shopper()).cartId,
    [ids.key]: keyId,
    [ids.nftSale]: async () => (await draftSale(holder, sql)).id,
    [ids.webhook]: webhookId,
    [ids.holder]: async () => holder.holderId,
    [ids.session]: async () => readSessionId(await holder.beginSession()),
    [ids.kycReference]: kycReference,
    // Those of the digital key itself have happened before.
    [ids.event]: async () => {
      const [event] = await followEvents(holder, 'key.created').waitFor('key.created');
      return event?.id ?? '';
    },
  };
  /** Fields of bodies that are not those of the examples: unique values, and what belongs to this storefront. */
  const fields: Readonly<Record<string, () => unknown>> = {
    tokenId: () => tokenId,
    walletAddress: () => account.address,
    startDate: () => '',
    endDate: () => '',
    email: () => `${randomUUID()}@example.org`,
    name: () => `Name ${randomUUID()}`,
    // Far from the numbers that other tests choose by their digital keys.
    number: () => randomInt(500_000_000, 1_000_000_000),
    planet: planetId,
    items: () => cartItems,
    cartItems: () => cartItems,
  };
  const fill = async (values: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> => {
    const filled = Object.entries(values).map(async ([name, value]) => {
      return [name, (await (fields[name] ?? resources[String(value)])?.()) ?? value] as const;
    });
    return Object.fromEntries(await Promise.all(filled));
  };
  const callFromExample =
    ({ query, body, example }: Operation, variant: ExampleRequest = {}): MakeCall =>
    async () => {
      const [id, ...others] = Object.entries(await fill(example.parameters));
      const required = (query?.required ?? []).map((name) => [name, example.query?.[name] ?? '']);
      const queryValues = await fill({ ...Object.fromEntries(required), ...variant.query });
      return {
        ...(id ? { id: String(id[1]) } : {}),
        otherParameters: Object.fromEntries(others.map(([name, value]) => [name, String(value)])),
        ...(Object.keys(queryValues).length > 0
          ? { query: new URLSearchParams(queryValues as Record<string, string>).toString() }
          : {}),
        ...(body ? { body: await fill(variant.body ?? example.body) } : {}),
        ...(variant.headers ? { headers: variant.headers } : {}),
      };
    };

  /** Calls that the examples do not give: signatures, files, a certain state. */
  const special: Readonly<Record<string, MakeCall>> = {
    signIn: async () => {
      const { message } = await create<Nonce>(nobody, '/auth/nonce', { walletAddress: account.address });
      return { body: { message, signature: await account.signMessage({ message }) } };
    },
    signOut: () => newSession(),
    // Those of another wallet: tests go on with the sessions of the holder.
    endSessions: async () => newSession(await addWallet()),

    createOrder: async () => ({ body: { clientId: (await shopper()).id } }),
    decideAdminOrders: async () => ({ body: { adminApproval: 'REJECTED', ids: [await orderId()] } }),
    decideAdminClients: async () => ({ body: { adminApproval: 'REJECTED', ids: [await clientId()] } }),
    createShipment: async () => ({ id: await paidOrderId(), body: { carrier: 'Comet Parcel' } }),
    updateShipment: async () => {
      const id = await paidOrderId();
      const { id: shipmentId } = await create<Shipment>(admin, `/admin/orders/${id}/shipments`, {
        carrier: 'Comet',
      });
      return { id, otherParameters: { shipmentId }, body: { trackingNumber: randomUUID() } };
    },
    reportSandboxKyc: async () => ({
      id: (await insertClient(sql, tokenId, { isKycVerified: false })).id,
      body: { status: 'VERIFIED' },
    }),
    createSandboxShipment: async () => ({ id: await paidOrderId(), body: { carrier: 'Comet Parcel' } }),
    // Tests go on with the data of the holder.
    resetSandbox: async () => {
      resetHolder ??= addWallet();
      const caller = await resetHolder;
      return { caller, body: { tokenId: caller.tokenId } };
    },
    createRefund: async () => ({ id: await paidOrderId(), body: { amount: 1, reason: 'Broken' } }),
    getOrderHistory: async () => ({ id: await movedOrderId() }),
    reportPayment: async () => {
      const { id, totalAmount: amount, currency } = await newOrder();
      const { payUrl } = await create<Checkout>(holder, '/payments/checkout', { orderId: id });
      return { body: { reference: referenceIn(payUrl), status: 'PAID', amount, currency } };
    },
    updateSale: async () => ({ query: `id=${await saleId()}`, body: { stage: 'ONGOING' } }),

    createNftSale: async () => {
      await endOpenSale(sql, holder);
      return { body: { tokenId, price: '1.5' } };
    },
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
    updateWebhook: async () => ({ id: await webhookId(), body: { description: 'Another' } }),
    deleteWebhook: async () => ({ id: await newWebhookId() }),
    rotateWebhookSecret: async () => ({ id: await newWebhookId() }),
    testWebhook: async () => ({ id: await newWebhookId() }),
    // A webhook has one replay at a time, and nothing dispatches here.
    replayWebhook: async () => ({
      id: await newWebhookId(),
      body: { after: formatEventId({ transactionNumber: 1, sequenceNumber: 1 }, new Date().toISOString()) },
    }),
    listWebhookDeliveries: async () => {
      const id = await webhookId();
      await newDeliveryId(id);
      return { id };
    },
    retryWebhookDelivery: async () => {
      const id = await webhookId();
      return { id, otherParameters: { deliveryId: await newDeliveryId(id) } };
    },

    streamEvents: () => ({ headers: { accept: 'application/json' } }),
    uploadImage: async () => ({ body: await samplePng(), headers: { 'content-type': 'image/png' } }),
  };

  const calls: Record<string, MakeCall> = {};
  for (const operation of operationList) {
    const { id, variants = {} } = operation;
    calls[id] = callFromExample(operation);
    if (isCached(operation)) {
      // A new resource would not be cached.
      const sameCall = once(calls[id]);
      calls[id] = sameCall;
      calls[`${id} after a change`] = async () => {
        await changeCatalogue();
        return sameCall();
      };
    }
    for (const [words, variant] of Object.entries(variants)) {
      calls[`${id} ${words}`] = callFromExample(operation, variant);
    }
  }
  return { ...calls, ...special };
}

function once(call: MakeCall): MakeCall {
  let made: ReturnType<MakeCall> | undefined;
  return () => {
    made ??= call();
    return made;
  };
}

/** Whether the response comes from memory until the catalogue changes. */
export const isCached = ({ method, access, roundTrips }: Operation): boolean =>
  method === 'GET' && access === 'credential' && roundTrips === 0;
