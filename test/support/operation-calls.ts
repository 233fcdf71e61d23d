import { randomUUID } from 'node:crypto';
import type { CreatedKey, Nonce, OrderWithLines, Planet, Sale } from '@keyfront/protocol';
import { draftSale, insertToken, listSale, signTypedData, typedDataOf } from './nft-sales.ts';
import { dataOf, type Storefront, type TestCaller } from './storefront.ts';
import { insertCart, insertClient, insertStrain } from './storefront-data.ts';

/** What a request of an operation has beyond its method and its path. */
export interface OperationCall {
  /** Stands in the path. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

export type MakeCall = () => OperationCall | Promise<OperationCall>;

const everyOrder = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
// Far above the planets that tests name.
let lastPlanetNumber = 1_000;

/**
 * A call for each operation, and for each of its ways that are told by more words. One that changes something has a
 * subject of its own whenever it is made. Whatever may be long has this length: carts, orders, histories.
 */
export async function operationCalls(
  { holder, admin, nobody, sql }: Storefront,
  length: number,
): Promise<Record<string, MakeCall>> {
  const { tokenId, account, signedIn } = holder;
  const create = async <Data>(caller: TestCaller, path: string, body: object) =>
    dataOf<Data>(await caller.ask('POST', path, { body }));
  const strainIds: string[] = [];
  while (strainIds.length < length) strainIds.push((await insertStrain(sql, { stock: 1_000_000 })).id);
  const cartItems = strainIds.map((strainId) => ({ strainId, quantity: 1 }));

  const newStrain = () => ({
    name: `Strain ${randomUUID()}`,
    type: 'HYBRID',
    thc: 18,
    cbd: 1,
    retailPrice: '10.00',
    currency: 'EUR',
    stockQuantity: 5,
    planet: '1',
  });
  const newPlanet = () => ({ number: ++lastPlanetNumber, name: `Planet ${randomUUID()}` });
  const keyId = async () => (await create<CreatedKey>(signedIn, '/keys', { keyName: 'Another' })).id;
  const planetId = async () => (await create<Planet>(admin, '/admin/planets', newPlanet())).id;
  const clientId = async () => (await insertClient(sql, tokenId)).id;
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
  /** The catalogue is as it was, but nobody can know that. */
  const changeCatalogue = () => planetId();

  return {
    getHealthStatus: () => ({}),

    requestNonce: () => ({ body: { walletAddress: account.address } }),
    signIn: async () => {
      const { message } = await create<Nonce>(nobody, '/auth/nonce', { walletAddress: account.address });
      return { body: { message, signature: await account.signMessage({ message }) } };
    },

    createKey: () => ({ body: { keyName: 'One' } }),
    listKeys: () => ({}),
    renameKey: async () => ({ id: await keyId(), body: { keyName: 'Renamed' } }),
    revokeKey: async () => ({ id: await keyId() }),

    getHolder: () => ({}),
    listNfts: () => ({}),
    changePrimaryNft: () => ({ body: { tokenId } }),

    listPlanets: () => ({}),
    'listPlanets after a change': async () => {
      await changeCatalogue();
      return {};
    },
    listStrains: () => ({}),
    'listStrains after a change': async () => {
      await changeCatalogue();
      return {};
    },
    getStrain: () => ({ id: String(strainIds[0]) }),
    'getStrain after a change': async () => {
      await changeCatalogue();
      return { id: String(strainIds[0]) };
    },

    createClient: () => ({
      body: { firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` },
    }),
    listClients: () => ({}),
    getClient: async () => ({ id: await clientId() }),
    updateClient: async () => ({ id: await clientId(), body: { firstName: 'Adé' } }),
    getClientSummary: () => ({}),
    getClientStatusBreakdown: () => ({}),

    addToCart: async () => ({ body: { clientId: await clientId(), cartItems } }),
    listCarts: () => ({}),
    deleteFromCart: async () => ({ id: (await shopper()).cartId }),

    createOrder: async () => ({ body: { clientId: (await shopper()).id } }),
    listOrders: () => ({}),
    getOrder: async () => ({ id: await orderId() }),
    getOrderHistory: async () => ({ id: await movedOrderId() }),
    getOrderSummary: () => ({}),
    getOrderChart: () => ({}),
    exportOrders: () => ({ query: everyOrder }),
    'exportOrders as CSV': () => ({ query: everyOrder, headers: { accept: 'text/csv' } }),

    createSale: async () => ({ body: { clientId: await clientId() } }),
    updateSale: async () => ({ query: `id=${await saleId()}`, body: { stage: 'ONGOING' } }),
    listSales: () => ({}),
    getSaleSummary: () => ({}),
    getSaleHistory: async () => ({ id: await saleId() }),

    createNftSale: async () => ({ body: { tokenId: await insertToken(sql, holder.holderId), price: '1.5' } }),
    listNftSales: () => ({}),
    getNftSale: async () => ({ id: (await draftSale(holder, sql)).id }),
    updateNftSale: async () => signedStep(await draftSale(holder, sql)),
    'updateNftSale to cancel': async () => signedStep(await listSale(holder, sql)),
    listTransactions: () => ({}),

    createPlanet: () => ({ body: newPlanet() }),
    updatePlanet: async () => ({ id: await planetId(), body: { description: 'Two slow suns.' } }),
    createStrain: () => ({ body: newStrain() }),
    updateStrain: async () => ({ id: (await insertStrain(sql)).id, body: { stockChange: 5 } }),
    'updateStrain to another planet': async () => ({
      id: (await insertStrain(sql)).id,
      body: { planet: await planetId() },
    }),
    listAdminClients: () => ({}),
    updateAdminClient: async () => ({ id: await clientId(), body: { isActive: false } }),
    listAdminOrders: () => ({}),
    updateAdminOrder: async () => ({ id: await orderId(), body: { adminApproval: 'VERIFIED' } }),
    'updateAdminOrder to cancel': async () => ({ id: await orderId(), body: { orderStatus: 'CANCELLED' } }),
    listAudit: () => ({}),
  };
}
