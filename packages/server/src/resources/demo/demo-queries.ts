import { type DemoCredentials, type DemoData, readPublicKey } from '@keyfront/demo';
import type { Database } from '../../database/database.ts';
import { type Statement, statement } from '../../database/statements/statement.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

interface DemoContent {
  readonly data: DemoData;
  readonly credentials: DemoCredentials;
}

// Any fixed number, the same in every process.
const demoLock = 7_305_011_941;

const takeLock = statement<object>('demo.lock', `SELECT pg_advisory_xact_lock(${demoLock})`);

// Blocks other inserts of a first holder between the check and the commit.
const lockHolders = statement<object>('demo.lock-holders', 'LOCK TABLE holders IN SHARE ROW EXCLUSIVE MODE');

const findAnyHolder = statement<{ found: boolean }>(
  'demo.find-any-holder',
  'SELECT EXISTS (SELECT FROM holders) AS found',
);

const findWallet = statement<{ found: boolean }>(
  'demo.find-wallet',
  'SELECT EXISTS (SELECT FROM holders WHERE wallet_address = $1) AS found',
);

// The demo comes with a past. `recordLatestOrders` writes its latest events.
const recordNoEvents = statement<object>(
  'demo.record-no-events',
  `SELECT set_config('keyfront.is_seeding', 'on', true)`,
);

const insertPlanets = composeInsert('planets', {
  id: 'uuid',
  number: 'integer',
  name: 'text',
  description: 'text',
  imageUrl: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertStrains = composeInsert('strains', {
  id: 'uuid',
  planetId: 'uuid',
  name: 'text',
  description: 'text',
  type: 'text',
  thc: 'numeric',
  cbd: 'numeric',
  flavour: 'text',
  feelings: 'text',
  helpsWith: 'text',
  retailPrice: 'numeric',
  currency: 'text',
  isAvailable: 'boolean',
  imageUrl: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertStrainLocations = composeInsert('strain_locations', {
  strainId: 'uuid',
  countryCode: 'text',
  stockQuantity: 'integer',
  retailPrice: 'numeric',
  currency: 'text',
});

const insertDeliveryCharges = composeInsert('delivery_charges', {
  countryCode: 'text',
  currency: 'text',
  deliveryCharge: 'numeric',
  freeFrom: 'numeric',
});

const insertHolders = composeInsert('holders', {
  id: 'uuid',
  walletAddress: 'text',
  email: 'text',
  primaryTokenId: 'bigint',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertDigitalKeys = composeInsert('digital_keys', {
  tokenId: 'bigint',
  holderId: 'uuid',
  planetId: 'uuid',
  acquiredAt: 'timestamptz',
});

const insertApiKeys = composeInsert('api_keys', {
  holderId: 'uuid',
  tokenId: 'bigint',
  keyName: 'text',
  publicKey: 'bytea',
});

const insertClients = composeInsert('clients', {
  id: 'uuid',
  tokenId: 'bigint',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  phoneCode: 'text',
  phoneCountryCode: 'text',
  contactNumber: 'text',
  shippingAddress1: 'text',
  shippingAddress2: 'text',
  shippingLandmark: 'text',
  shippingCity: 'text',
  shippingState: 'text',
  shippingCountry: 'text',
  shippingCountryCode: 'text',
  shippingPostalCode: 'text',
  adminApproval: 'text',
  rejectionNote: 'text',
  isKycVerified: 'boolean',
  kycVerifiedAt: 'timestamptz',
  isActive: 'boolean',
  approvedAt: 'timestamptz',
  rejectedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertCarts = composeInsert('carts', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertCartItems = composeInsert('cart_items', {
  cartId: 'uuid',
  strainId: 'uuid',
  tokenId: 'bigint',
  quantity: 'integer',
  createdAt: 'timestamptz',
});

const insertOrders = composeInsert('orders', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  invoiceNumber: 'text',
  orderStatus: 'text',
  paymentStatus: 'text',
  adminApproval: 'text',
  rejectionNote: 'text',
  totalAmount: 'numeric',
  deliveryCharge: 'numeric',
  totalQuantity: 'integer',
  currency: 'text',
  shipping: 'jsonb',
  stockReturnedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertOrderLines = composeInsert('order_lines', {
  orderId: 'uuid',
  lineNumber: 'smallint',
  tokenId: 'bigint',
  strainId: 'uuid',
  strainName: 'text',
  unitPrice: 'numeric',
  quantity: 'integer',
});

const insertSales = composeInsert('sales', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  orderId: 'uuid',
  stage: 'text',
  description: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertNftSales = composeInsert('nft_sales', {
  id: 'uuid',
  tokenId: 'bigint',
  sellerId: 'uuid',
  price: 'numeric',
  currency: 'text',
  state: 'text',
  listingSignature: 'bytea',
  cancellationSignature: 'bytea',
  expiresAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertTransactions = composeInsert('transactions', {
  id: 'uuid',
  type: 'text',
  tokenId: 'bigint',
  fromAddress: 'text',
  toAddress: 'text',
  price: 'numeric',
  currency: 'text',
  saleId: 'uuid',
  chainId: 'bigint',
  txHash: 'text',
  logIndex: 'integer',
  blockNumber: 'bigint',
  origin: 'text',
  occurredAt: 'timestamptz',
});

// As if they had just been placed one after the other. Older events would no longer be kept.
const recordLatestOrders = statement<object>(
  'demo.record-latest-orders',
  `INSERT INTO events (created_at, token_id, type, snapshot)
   SELECT created_at, token_id, 'order.created', jsonb_build_object('id', id, 'client', client_contact(client_id))
   FROM orders WHERE created_at > (SELECT max(created_at) FROM orders) - interval '14 days'
   ORDER BY created_at, id`,
);

/**
 * Inserts the demo in one transaction if the database has no holder. Returns whether it did. Only then it calls `prepare`, in
 * one process at a time and before the commit.
 */
export async function writeDemo(database: Database, prepare: () => Promise<DemoContent>): Promise<boolean> {
  return database.transaction(systemScope, async (tx) => {
    await tx(takeLock);
    await tx(lockHolders);
    const [holders] = await tx(findAnyHolder);
    if (holders?.found !== false) return false;
    await insertDemo(tx, await prepare());
    return true;
  });
}

/** Whether the wallet belongs to a holder. */
export async function isHolder(database: Database, walletAddress: string): Promise<boolean> {
  const [wallet] = await database.query(systemScope, findWallet, [walletAddress.toLowerCase()]);
  return wallet?.found === true;
}

async function insertDemo(tx: RunInTransaction, { data, credentials }: DemoContent): Promise<void> {
  const addresses = credentials.holders.map(({ walletAddress }) => walletAddress.toLowerCase());
  const addressOf = (holder: number | null) => (holder === null ? null : addresses[holder]);

  await tx(recordNoEvents);
  await tx(insertPlanets, toParameters(data.planets));
  await tx(insertStrains, toParameters(data.strains));
  await tx(insertStrainLocations, toParameters(data.strainLocations));
  await tx(insertDeliveryCharges, toParameters(data.deliveryCharges));
  await tx(
    insertHolders,
    toParameters(data.holders.map((row, index) => ({ ...row, walletAddress: addressOf(index) }))),
  );
  await tx(insertDigitalKeys, toParameters(data.digitalKeys));
  await tx(
    insertApiKeys,
    toParameters(
      credentials.holders.map(({ apiKey }, index) => ({
        holderId: data.holders[index]?.id,
        tokenId: data.holders[index]?.primaryTokenId,
        keyName: 'Demo key',
        publicKey: asBytea(readPublicKey(apiKey).toString('hex')),
      })),
    ),
  );
  await tx(insertClients, toParameters(data.clients));
  await tx(insertCarts, toParameters(data.carts));
  await tx(insertCartItems, toParameters(data.cartItems));
  await tx(insertOrders, toParameters(data.orders));
  await tx(insertOrderLines, toParameters(data.orderLines));
  await tx(insertSales, toParameters(data.sales));
  const nftSales = data.nftSales.map((row) => ({
    ...row,
    listingSignature: asBytea(row.listingSignature),
    cancellationSignature: asBytea(row.cancellationSignature),
  }));
  await tx(insertNftSales, toParameters(nftSales));
  const transactions = data.transactions.map(({ fromHolder, toHolder, ...row }) => ({
    ...row,
    fromAddress: addressOf(fromHolder),
    toAddress: addressOf(toHolder),
  }));
  await tx(insertTransactions, toParameters(transactions));
  await tx(recordLatestOrders);
}

function toParameters(list: readonly object[]): unknown[] {
  return [JSON.stringify(list)];
}

function asBytea(hex: string | null): string | null {
  return hex === null ? null : `\\x${hex}`;
}

/** Composes the insert of a JSON list of rows. A column is the field name in snake case. */
function composeInsert(table: string, fields: Readonly<Record<string, string>>): Statement<object> {
  const names = Object.keys(fields);
  const columns = names.map((name) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`));
  const quoted = names.map((name) => `"${name}"`);
  const types = Object.entries(fields).map(([name, type]) => `"${name}" ${type}`);
  return statement(
    `demo.insert.${table}`,
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${quoted.join(', ')} FROM jsonb_to_recordset($1::jsonb) AS row(${types.join(', ')})`,
  );
}
