import type { Database } from '../database/database.ts';
import { systemScope } from '../database/scope.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { RunInTransaction } from '../database/transaction.ts';
import { type DemoCredentials, readPublicKey } from './credentials.ts';
import type { DemoData } from './generate/demo-data.ts';

interface DemoContent {
  readonly data: DemoData;
  readonly credentials: DemoCredentials;
}

// Any fixed number does; it only has to be the same in every process of Keyfront.
const demoLock = 7_305_011_941;

const takeLock = statement<object>('demo.lock', `SELECT pg_advisory_xact_lock(${demoLock})`);

// Keeps out a first holder that comes some other way, between the look and the commit.
const lockHolders = statement<object>('demo.lockHolders', 'LOCK TABLE holders IN SHARE ROW EXCLUSIVE MODE');

const lookForHolders = statement<{ found: boolean }>(
  'demo.lookForHolders',
  'SELECT EXISTS (SELECT FROM holders) AS found',
);

const lookForWallet = statement<{ found: boolean }>(
  'demo.lookForWallet',
  'SELECT EXISTS (SELECT FROM holders WHERE wallet_address = $1) AS found',
);

const insertPlanets = insertRows('planets', {
  id: 'uuid',
  number: 'integer',
  name: 'text',
  description: 'text',
  imageUrl: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertStrains = insertRows('strains', {
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
  stockQuantity: 'integer',
  isAvailable: 'boolean',
  imageUrl: 'text',
  countryCodes: 'text[]',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertHolders = insertRows('holders', {
  id: 'uuid',
  walletAddress: 'text',
  email: 'text',
  primaryTokenId: 'bigint',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertDigitalKeys = insertRows('digital_keys', {
  tokenId: 'bigint',
  holderId: 'uuid',
  planetId: 'uuid',
  acquiredAt: 'timestamptz',
});

const insertApiKeys = insertRows('api_keys', {
  holderId: 'uuid',
  tokenId: 'bigint',
  keyName: 'text',
  publicKey: 'bytea',
});

const insertClients = insertRows('clients', {
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
  shippingCity: 'text',
  shippingState: 'text',
  shippingCountry: 'text',
  shippingCountryCode: 'text',
  shippingPostalCode: 'text',
  adminApproval: 'text',
  rejectionNote: 'text',
  isKycVerified: 'boolean',
  isActive: 'boolean',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertCarts = insertRows('carts', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertCartItems = insertRows('cart_items', {
  cartId: 'uuid',
  strainId: 'uuid',
  tokenId: 'bigint',
  quantity: 'integer',
  createdAt: 'timestamptz',
});

const insertOrders = insertRows('orders', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  invoiceNumber: 'text',
  orderStatus: 'text',
  paymentStatus: 'text',
  adminApproval: 'text',
  rejectionNote: 'text',
  totalAmount: 'numeric',
  totalQuantity: 'integer',
  currency: 'text',
  stockReturnedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertOrderLines = insertRows('order_lines', {
  orderId: 'uuid',
  lineNumber: 'smallint',
  tokenId: 'bigint',
  strainId: 'uuid',
  strainName: 'text',
  unitPrice: 'numeric',
  quantity: 'integer',
});

const insertSales = insertRows('sales', {
  id: 'uuid',
  tokenId: 'bigint',
  clientId: 'uuid',
  orderId: 'uuid',
  stage: 'text',
  description: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

const insertNftSales = insertRows('nft_sales', {
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

const insertTransactions = insertRows('transactions', {
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

/**
 * Fills the database when it has no holder, all or nothing, and tells whether it did. `prepare` is called only then, by
 * one process at a time, and has ended before anything is committed.
 */
export async function writeDemo(database: Database, prepare: () => Promise<DemoContent>): Promise<boolean> {
  return database.transaction(systemScope, async (run) => {
    await run(takeLock);
    await run(lockHolders);
    const [holders] = await run(lookForHolders);
    if (holders?.found !== false) return false;
    await insertDemo(run, await prepare());
    return true;
  });
}

/** Whether the wallet is one of a holder. */
export async function isHolder(database: Database, walletAddress: string): Promise<boolean> {
  const [wallet] = await database.query(systemScope, lookForWallet, [walletAddress.toLowerCase()]);
  return wallet?.found === true;
}

async function insertDemo(run: RunInTransaction, { data, credentials }: DemoContent): Promise<void> {
  const addresses = credentials.holders.map(({ walletAddress }) => walletAddress.toLowerCase());
  const addressOf = (holder: number | null) => (holder === null ? null : addresses[holder]);

  await run(insertPlanets, rows(data.planets));
  await run(insertStrains, rows(data.strains));
  await run(
    insertHolders,
    rows(data.holders.map((row, index) => ({ ...row, walletAddress: addressOf(index) }))),
  );
  await run(insertDigitalKeys, rows(data.digitalKeys));
  await run(
    insertApiKeys,
    rows(
      credentials.holders.map(({ apiKey }, index) => ({
        holderId: data.holders[index]?.id,
        tokenId: data.holders[index]?.primaryTokenId,
        keyName: 'Demo key',
        publicKey: asBytea(readPublicKey(apiKey).toString('hex')),
      })),
    ),
  );
  await run(insertClients, rows(data.clients));
  await run(insertCarts, rows(data.carts));
  await run(insertCartItems, rows(data.cartItems));
  await run(insertOrders, rows(data.orders));
  await run(insertOrderLines, rows(data.orderLines));
  await run(insertSales, rows(data.sales));
  const nftSales = data.nftSales.map((row) => ({
    ...row,
    listingSignature: asBytea(row.listingSignature),
    cancellationSignature: asBytea(row.cancellationSignature),
  }));
  await run(insertNftSales, rows(nftSales));
  const transactions = data.transactions.map(({ fromHolder, toHolder, ...row }) => ({
    ...row,
    fromAddress: addressOf(fromHolder),
    toAddress: addressOf(toHolder),
  }));
  await run(insertTransactions, rows(transactions));
}

function rows(list: readonly object[]): unknown[] {
  return [JSON.stringify(list)];
}

function asBytea(hex: string | null): string | null {
  return hex === null ? null : `\\x${hex}`;
}

/** Inserts all rows of a JSON list at once. A column is the field's name in snake case. */
function insertRows(table: string, fields: Readonly<Record<string, string>>): Statement<object> {
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
