import { type DemoCredentials, type DemoData, readPublicKey } from '@keyfront/demo';
import { statement } from '@keyfront/postgres';
import type { Database } from '../../database/database.ts';
import { query } from '../../database/queries/query.ts';
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

// The demo comes with a past. `recordLatestOrders` writes its latest events.
const recordNoEvents = statement<object>(
  'demo.record-no-events',
  `SELECT set_config('keyfront.is_seeding', 'on', true)`,
);

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
export const isHolder = query(
  'demo.find-wallet',
  'SELECT FROM holders WHERE wallet_address = $1',
).hasAsSystem((walletAddress: string) => [walletAddress.toLowerCase()]);

async function insertDemo(tx: RunInTransaction, { data, credentials }: DemoContent): Promise<void> {
  const addresses = credentials.holders.map(({ walletAddress }) => walletAddress.toLowerCase());
  const addressOf = (holder: number | null) => (holder === null ? null : addresses[holder]);

  // In an order in which each row comes after those that it refers to.
  const tables = {
    planets: data.planets,
    strains: data.strains,
    strain_locations: data.strainLocations,
    delivery_charges: data.deliveryCharges,
    tax_rates: data.taxRates,
    holders: data.holders.map(
      ({ name: _name, tokenIds: _tokenIds, clientIds: _clientIds, ...row }, index) => ({
        ...row,
        walletAddress: addressOf(index),
      }),
    ),
    digital_keys: data.digitalKeys,
    api_keys: credentials.holders.map(({ apiKey }, index) => ({
      holderId: data.holders[index]?.id,
      tokenId: data.holders[index]?.primaryTokenId,
      keyName: 'Demo key',
      publicKey: asBytea(readPublicKey(apiKey).toString('hex')),
    })),
    clients: data.clients,
    carts: data.carts,
    cart_items: data.cartItems,
    orders: data.orders,
    order_lines: data.orderLines,
    payment_checkouts: data.paymentCheckouts,
    refunds: data.refunds,
    shipments: data.shipments,
    sales: data.sales,
    nft_sales: data.nftSales.map((row) => ({
      ...row,
      listingSignature: asBytea(row.listingSignature),
      cancellationSignature: asBytea(row.cancellationSignature),
    })),
    transactions: data.transactions.map(({ fromHolder, toHolder, ...row }) => ({
      ...row,
      fromAddress: addressOf(fromHolder),
      toAddress: addressOf(toHolder),
    })),
  };
  await tx(recordNoEvents);
  for (const [table, rows] of Object.entries(tables)) await insertRows(tx, table, rows);
  await tx(recordLatestOrders);
}

function asBytea(hex: string | null): string | null {
  return hex === null ? null : `\\x${hex}`;
}

/** Inserts rows that all have the same fields. A column is the name of a field in snake case. The table knows its type. */
async function insertRows(tx: RunInTransaction, table: string, rows: readonly object[]): Promise<void> {
  const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  const columns = Object.keys(rows[0] ?? {})
    .map(toColumn)
    .join(', ');
  const insert = statement(
    `demo.insert.${table}`,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
  );
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [toColumn(name), value])),
  );
  await tx(insert, [JSON.stringify(named)]);
}
