import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { type HolderScope, systemScope } from './scope.ts';

/** Tables without data of holders. A new table is either listed here or protected. */
const sharedTables = [
  'archived_invoice_numbers',
  'cache_leases',
  'chain_positions',
  'delivery_charges',
  'migrations',
  'planets',
  'primary_beats',
  'primary_timelines',
  'strain_locations',
  'strains',
  'tax_rates',
];
/** Tables whose rows everybody may read, and only their owner may write. */
const publicTables = ['nft_listings'];
/** Tables on which the role of holders has no privileges. */
const platformTables = [
  'audit',
  'audit_counters',
  'audit_counter_changes',
  'chain_blocks',
  'chain_changes',
  'installation',
  'order_archive_drafts',
  'provider_messages',
  'queue_workers',
  'webhook_dispatch',
];

let test: TestDatabase;
const scopes: HolderScope[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Two holders, each with a row in every protected table.
  await runSql(
    test.ownerUrl,
    `
    SET search_path = keyfront;
    INSERT INTO planets (number, name) VALUES (1, 'Verdane');
    INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency)
      SELECT id, 'Lunar Saffron', 'INDICA', 18, 1, 10, 'EUR' FROM planets;
    INSERT INTO holders (wallet_address) VALUES ('0x${'1'.repeat(40)}'), ('0x${'2'.repeat(40)}');
    INSERT INTO digital_keys (token_id, holder_id, planet_id)
      SELECT row_number() OVER (ORDER BY wallet_address), holders.id, planets.id FROM holders, planets;
    UPDATE holders SET primary_token_id = token_id FROM digital_keys WHERE holder_id = holders.id;
    INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
      SELECT holder_id, token_id, 'key', token_id::text::bytea FROM digital_keys;
    INSERT INTO clients (token_id, first_name, last_name, email)
      SELECT token_id, 'Ada', 'Example', 'ada@example.org' FROM digital_keys;
    INSERT INTO carts (token_id, client_id) SELECT token_id, id FROM clients;
    INSERT INTO medical_records (token_id, client_id, key_id, ciphertext) SELECT token_id, id, 'key', 'x' FROM clients;
    INSERT INTO cart_items (cart_id, strain_id, token_id, quantity)
      SELECT carts.id, strains.id, token_id, 2 FROM carts, strains;
    INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
      SELECT token_id, id, 'KF-' || token_id, 20, 2, 'EUR' FROM clients;
    INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
      SELECT orders.id, 1, token_id, strains.id, strains.name, 10, 2 FROM orders, strains;
    INSERT INTO payment_checkouts (order_id, token_id, expires_at)
      SELECT id, token_id, now() + interval '30 minutes' FROM orders;
    INSERT INTO refunds (order_id, token_id, amount, reason) SELECT id, token_id, 0, 'x' FROM orders;
    INSERT INTO shipments (order_id, token_id, carrier, lines) SELECT id, token_id, 'x', '[]' FROM orders;
    -- As the job leaves them after it has compacted changes.
    INSERT INTO order_counters SELECT token_id, day, order_status, payment_status, admin_approval, currency, is_archived, 1, 2, 20
      FROM order_counter_changes;
    INSERT INTO order_archives (token_id, month, file_name, checksum, orders, first_created_at, last_created_at)
      SELECT token_id, '2024-01-01', 'a', repeat('0', 64), 1, '2024-01-01', '2024-01-01' FROM digital_keys;
    INSERT INTO order_archive_clients (token_id, client_id, archive_id)
      SELECT token_id, clients.id, order_archives.id FROM clients JOIN order_archives USING (token_id);
    DELETE FROM events WHERE type <> 'order.created';
    DELETE FROM counter_changes WHERE kind <> 'sale';
    INSERT INTO counters SELECT token_id, kind, state, entries FROM counter_changes;
    INSERT INTO nft_sales (token_id, seller_id, price, currency, state, expires_at)
      SELECT token_id, holder_id, 1, 'ETH', 'LISTED', now() + interval '1 day' FROM digital_keys;
    INSERT INTO transactions (type, token_id, to_address, origin, occurred_at)
      SELECT 'MINT', token_id, wallet_address, 'CHAIN', now() FROM digital_keys JOIN holders ON holders.id = holder_id;
    INSERT INTO idempotency_keys (credential, key_hash, wallet_address, request_hash, status_code, body)
      SELECT 'jwt', sha256(wallet_address::text::bytea), wallet_address, sha256('x'), 201, 'x' FROM holders;
    INSERT INTO sign_in_nonces (nonce_hash, wallet_address, type)
      SELECT sha256(wallet_address::text::bytea), wallet_address, 'dapp' FROM holders;
    INSERT INTO sessions (wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
      SELECT wallet_address, 'holder', 'shop.example', sha256(wallet_address::text::bytea), now(), now(), now() FROM holders;
    INSERT INTO request_nonces (key_id, nonce_hash, holder_id, expires_at)
      SELECT id, sha256('x'), holder_id, now() + interval '1 hour' FROM api_keys;
    INSERT INTO webhooks (token_id, holder_id, url, event_types)
      SELECT token_id, holder_id, 'https://storefront.example/', '{*}' FROM digital_keys;
    INSERT INTO webhook_secrets (webhook_id, token_id, holder_id, key_id, ciphertext)
      SELECT id, token_id, holder_id, 'key', 'x' FROM webhooks;
    INSERT INTO webhook_deliveries (webhook_id, token_id, holder_id, event_type)
      SELECT id, token_id, holder_id, 'order.created' FROM webhooks;`,
  );
  const holders = await runSql<{ id: string; wallet_address: string }>(
    test.ownerUrl,
    'SELECT id, wallet_address FROM keyfront.holders ORDER BY wallet_address',
  );
  for (const [index, holder] of holders.entries()) {
    scopes.push({
      role: 'holder',
      holderId: holder.id,
      tokenId: index + 1,
      walletAddress: holder.wallet_address,
    });
  }
});

afterAll(() => test.close());

const first = () => scopes[0] as HolderScope;
const second = () => scopes[1] as HolderScope;

interface CatalogueRow {
  name: string;
  isEnabled: boolean;
  isForced: boolean;
  policies: string[];
}

const isOwned = ({ name }: CatalogueRow) => !sharedTables.includes(name) && !platformTables.includes(name);
const isPublic = ({ name }: CatalogueRow) => publicTables.includes(name);

const listTables = () =>
  runSql<CatalogueRow>(
    test.ownerUrl,
    `SELECT relname AS name, relrowsecurity AS "isEnabled", relforcerowsecurity AS "isForced",
       array(SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid ORDER BY 1) AS policies
     FROM pg_class WHERE relnamespace = 'keyfront'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );

describe('the catalogue of the database', () => {
  it('has forced row-level security with both policies on every table with data of holders', async () => {
    const owned = (await listTables()).filter(isOwned);
    expect(owned.length).toBeGreaterThanOrEqual(13);
    for (const table of owned) {
      expect(table).toEqual({
        name: table.name,
        isEnabled: true,
        isForced: true,
        policies: ['in_scope', 'platform', ...(isPublic(table) ? ['public_read'] : [])],
      });
    }
  });

  it('grants the role of holders no privilege on the tables of the platform', async () => {
    const rights = await runSql(
      test.ownerUrl,
      `SELECT name FROM unnest($1::text[]) AS name, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
       WHERE has_table_privilege('keyfront_service', 'keyfront.' || name, privilege)`,
      [platformTables],
    );
    expect(rights).toEqual([]);
  });

  it('has no column that refers to a holder in a shared table', async () => {
    const rows = await runSql<{ table: string }>(
      test.ownerUrl,
      `SELECT table_name AS table FROM information_schema.columns
       WHERE table_schema = 'keyfront' AND table_name = ANY ($1)
         AND (column_name ~ '(token|holder|seller|client|order)_id|address|email|wallet')`,
      [sharedTables],
    );
    expect(rows).toEqual([]);
  });

  it('has no view or function that runs with the privileges of its owner', async () => {
    const rows = await runSql<{ name: string }>(
      test.ownerUrl,
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'keyfront'::regnamespace AND prosecdef
       UNION ALL SELECT viewname FROM pg_views WHERE schemaname = 'keyfront'`,
    );
    expect(rows).toEqual([]);
  });

  it('has two roles that own nothing, cannot bypass policies and cannot log in', async () => {
    const rows = await runSql<{ rolname: string }>(
      test.ownerUrl,
      `SELECT rolname FROM pg_roles WHERE rolname IN ('keyfront_service', 'keyfront_platform')
         AND NOT (rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole OR rolcreatedb)
         AND NOT EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid) ORDER BY 1`,
    );
    expect(rows.map(({ rolname }) => rolname)).toEqual(['keyfront_platform', 'keyfront_service']);
    await expect(test.database.verifyRoles()).resolves.toBeUndefined();
  });
});

describe('a scope', () => {
  it('sees its own row of every table, and none of another holder', async () => {
    for (const { name } of (await listTables()).filter((table) => isOwned(table) && !isPublic(table))) {
      const count = statement<{ n: number }>(`test.count.${name}`, `SELECT count(*) AS n FROM ${name}`);
      const all = await test.database.query(systemScope, count);
      const own = await test.database.query(first(), count);
      const other = await test.database.query(second(), count);
      expect([name, all[0]?.n, own[0]?.n, other[0]?.n]).toEqual([name, 2, 1, 1]);
      expect([name, await test.database.queryShared(count)]).toEqual([name, [{ n: 0 }]]);
    }
  });

  it('reads every row of a public table, and writes only its own', async () => {
    for (const name of publicTables) {
      const count = statement<{ n: number }>(`test.count.${name}`, `SELECT count(*) AS n FROM ${name}`);
      expect([name, await test.database.query(first(), count)]).toEqual([name, [{ n: 2 }]]);
      expect([name, await test.database.queryShared(count)]).toEqual([name, [{ n: 2 }]]);
      const remove = statement<{ token_id: number }>(
        `test.remove.${name}`,
        `DELETE FROM ${name} RETURNING token_id`,
      );
      expect([name, await test.database.queryShared(remove)]).toEqual([name, []]);
      const removing = test.database.transaction(first(), async (tx) => {
        expect([name, await tx(remove)]).toEqual([name, [{ token_id: 1 }]]);
        throw new Error('undo');
      });
      await expect(removing).rejects.toThrow('undo');
    }
  });

  it('ends with its statement, so that the next one on the connection sees nothing', async () => {
    const single = await createTestDatabase();
    try {
      const readScope = statement<{ scope: string | null }>(
        'test.scope',
        `SELECT nullif(current_setting('keyfront.token_id', true), '') AS scope`,
      );
      for (let round = 0; round < 20; round++) {
        expect(await single.database.query(first(), readScope)).toEqual([{ scope: '1' }]);
        expect(await single.database.queryShared(readScope)).toEqual([{ scope: null }]);
        expect(await single.database.transaction(second(), (tx) => tx(readScope))).toEqual([{ scope: '2' }]);
        expect(await single.database.queryShared(readScope)).toEqual([{ scope: null }]);
      }
    } finally {
      await single.close();
    }
  });

  it('applies to a statement without a name and values', async () => {
    const count = statement<{ n: number }>('', 'SELECT count(*) AS n FROM clients');
    expect(await test.database.query(first(), count)).toEqual([{ n: 1 }]);
    expect(await test.database.transaction(second(), (tx) => tx(count))).toEqual([{ n: 1 }]);
  });

  it('is not mixed up with another under concurrency', async () => {
    const whose = statement<{ token_id: number; id: string }>(
      'test.whose',
      'SELECT token_id, id FROM clients',
    );
    const rounds = Array.from({ length: 300 }, async (_, index) => {
      const scope = index % 2 === 0 ? first() : second();
      const rows = await test.database.query(scope, whose);
      expect(rows.map((row) => row.token_id)).toEqual([scope.tokenId]);
    });
    await Promise.all(rounds);
  });

  it('cannot write rows of another', async () => {
    const insert = statement(
      'test.insert',
      `INSERT INTO clients (token_id, first_name, last_name, email) VALUES ($1, 'Eve', 'Example', $2)`,
    );
    await expect(test.database.query(first(), insert, [2, 'eve@example.org'])).rejects.toThrow(
      /row-level security/,
    );
    const update = statement<{ id: string }>(
      'test.update',
      `UPDATE clients SET first_name = 'Eve' WHERE token_id = 2 RETURNING id`,
    );
    expect(await test.database.query(first(), update)).toEqual([]);
    const empty = statement<{ id: string }>('test.delete', 'DELETE FROM carts RETURNING token_id');
    await test.database
      .transaction(first(), async (tx) => {
        expect(await tx(empty)).toEqual([{ token_id: 1 }]);
        throw new Error('undo');
      })
      .catch((error) => expect(error.message).toBe('undo'));
  });

  it('cannot change columns that only administrators may change', async () => {
    for (const column of [
      'admin_approval',
      'is_kyc_verified',
      'rejection_note',
      'approved_at',
      'erased_at',
    ]) {
      const update = statement(`test.approve.${column}`, `UPDATE clients SET ${column} = DEFAULT`);
      await expect(test.database.query(first(), update)).rejects.toThrow(/permission denied/);
    }
    const ship = statement('test.ship', `UPDATE orders SET order_status = 'SHIPPED'`);
    await expect(test.database.query(first(), ship)).rejects.toThrow(/permission denied/);
    const pay = statement('test.pay', `UPDATE orders SET payment_status = 'PROCESSING'`);
    await expect(test.database.query(first(), pay)).rejects.toThrow(/A holder may only/);
    const reprice = statement('test.reprice', 'UPDATE strains SET retail_price = 0');
    await expect(test.database.query(first(), reprice)).rejects.toThrow(/permission denied/);
  });

  it('treats a hostile value as a value', async () => {
    const hostile = { ...first(), walletAddress: `x', true); RESET ROLE; --` };
    const readRole = statement<{ role: string }>('test.role', 'SELECT current_user AS role');
    expect(await test.database.query(hostile, readRole)).toEqual([{ role: 'keyfront_service' }]);
    expect(await test.database.transaction(hostile, (tx) => tx(readRole))).toEqual([
      { role: 'keyfront_service' },
    ]);
  });
});

describe('the user who logs in', () => {
  it.each(['', 'SET ROLE keyfront_service; RESET ROLE;', 'SET ROLE keyfront_platform; SET ROLE NONE;'])(
    'sees nothing without a role: %s',
    async (before) => {
      for (const table of ['clients', 'orders', 'nft_listings'])
        await expect(runSql(test.loginUrl, `${before} SELECT FROM keyfront.${table}`)).rejects.toMatchObject({
          code: '42501',
        });
    },
  );
});
