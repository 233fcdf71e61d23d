import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPublicKey } from '@keyfront/demo';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { Database } from '../../database/database.ts';
import { readDemoFile } from './demo-file.ts';
import { seedDemo } from './seed-demo.ts';

const today = new Date('2026-11-15T14:20:00.000Z');
const tomorrow = new Date('2026-11-16T00:00:10.000Z');
const baseUrl = 'http://127.0.0.1:3000';

let test: TestDatabase;
let folder: string;

beforeEach(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'seed-demo-'));
});

afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

function seed(options: Partial<Parameters<typeof seedDemo>[0]> = {}) {
  return seedDemo({ database: test.database, folder, baseUrl, today, ...options });
}

async function count(table: string, condition = 'true'): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    test.ownerUrl,
    `SELECT count(*)::int AS count FROM keyfront.${table} WHERE ${condition}`,
  );
  return row?.count ?? -1;
}

describe('seedDemo', () => {
  it('fills an empty database and describes it', async () => {
    const file = await seed();
    expect(file).toEqual(await readDemoFile(folder));
    expect(file).toMatchObject({ baseUrl, holders: [{ primaryTokenId: 1001 }, { primaryTokenId: 2001 }] });
    expect(await count('planets')).toBe(20);
    expect(await count('strains')).toBe(60);
    expect(await count('digital_keys')).toBe(4);
    expect(await count('clients')).toBe(112);
    expect(await count('clients', 'is_kyc_verified <> (kyc_verified_at IS NOT NULL)')).toBe(0);
    expect(await count('orders')).toBe(800);
    expect(await count('orders', "invoice_number ~ '^KF-[0-9A-HJKMNP-TV-Z]{10}$'")).toBe(800);
    expect(await count('sales', 'client_id IS NULL')).toBe(4);
    expect(await count('sale_history')).toBe(await count('sales'));
    expect(await count('nft_sales', 'octet_length(listing_signature) <> 65')).toBe(0);
    expect(await count('events')).toBeGreaterThan(20);
    expect(await count('events', `type <> 'order.created'`)).toBe(0);
    const unequal = await runSql(
      test.ownerUrl,
      `SELECT FROM keyfront.orders JOIN keyfront.order_lines ON order_lines.order_id = orders.id GROUP BY orders.id
       HAVING sum(line_amount) + delivery_charge <> total_amount OR sum(quantity) <> total_quantity`,
    );
    expect(unequal).toEqual([]);
  });

  it('accepts the credentials of the file', { tags: ['long'] }, async () => {
    const file = await seed();
    const keys = await runSql<{ wallet: string; token: string; fingerprint: string }>(
      test.ownerUrl,
      `SELECT wallet_address AS wallet, token_id AS token, encode(fingerprint, 'hex') AS fingerprint
       FROM keyfront.api_keys JOIN keyfront.holders ON holders.id = holder_id ORDER BY token_id`,
    );
    expect(keys).toEqual(
      file?.holders.map(({ walletAddress, primaryTokenId, apiKey }) => ({
        wallet: walletAddress.toLowerCase(),
        token: String(primaryTokenId),
        fingerprint: createHash('sha256').update(readPublicKey(apiKey)).digest('hex'),
      })),
    );
  });

  it('writes nothing the second time, and follows a new address', { tags: ['long'] }, async () => {
    const first = await seed();
    expect(await seed({ today: tomorrow })).toEqual(first);
    const moved = await seed({ baseUrl: 'https://keyfront.example.org' });
    expect(moved).toEqual({ ...first, baseUrl: 'https://keyfront.example.org' });
    expect(await readDemoFile(folder)).toEqual(moved);
    expect(await count('orders')).toBe(800);
  });

  it('leaves a database alone that has another holder', async () => {
    await runSql(test.ownerUrl, 'INSERT INTO keyfront.holders (wallet_address) VALUES ($1)', [
      `0x${'a'.repeat(40)}`,
    ]);
    expect(await seed()).toBeNull();
    expect(await readDemoFile(folder)).toBeNull();
    expect(await count('planets')).toBe(0);
  });

  it('does not take the file of another database for its own', { tags: ['long'] }, async () => {
    await seed();
    const other = await createTestDatabase();
    try {
      const wallet = `0x${'b'.repeat(40)}`;
      await runSql(other.ownerUrl, 'INSERT INTO keyfront.holders (wallet_address) VALUES ($1)', [wallet]);
      const before = await readFile(join(folder, 'demo.json'), 'utf8');
      expect(await seed({ database: other.database, baseUrl: 'http://127.0.0.1:4000' })).toBeNull();
      expect(await readFile(join(folder, 'demo.json'), 'utf8')).toBe(before);
    } finally {
      await other.close();
    }
  });

  it('is null when the demo is there but its secrets are lost', { tags: ['long'] }, async () => {
    await seed();
    await writeFile(join(folder, 'demo.json'), '{"baseUrl":');
    expect(await seed()).toBeNull();
    expect(await count('holders')).toBe(2);
  });

  it('keeps the credentials of a start that ended before its rows were there', {
    tags: ['long'],
  }, async () => {
    await runSql(test.ownerUrl, 'REVOKE INSERT ON keyfront.transactions FROM keyfront_platform');
    await expect(seed()).rejects.toThrow('permission denied');
    const left = await readDemoFile(folder);
    expect(left).not.toBeNull();
    expect(await count('planets')).toBe(0);

    await runSql(test.ownerUrl, 'GRANT INSERT ON keyfront.transactions TO keyfront_platform');
    const file = await seed({ today: tomorrow });
    expect(file?.admin).toEqual(left?.admin);
    expect(file?.holders.map(({ secretKey }) => secretKey)).toEqual(
      left?.holders.map(({ secretKey }) => secretKey),
    );
    for (const { clientIds } of file?.holders ?? []) {
      expect(await count('clients', `id = '${clientIds.ready}'`)).toBe(1);
    }
  });

  it('returns processes that start at once the same demo', { tags: ['long'] }, async () => {
    const databases = Array.from({ length: 4 }, () => new Database({ url: test.loginUrl, poolSize: 2 }));
    try {
      const [first, ...others] = await Promise.all(databases.map((database) => seed({ database })));
      expect(first).not.toBeNull();
      for (const other of others) expect(other).toEqual(first);
      expect(await readDemoFile(folder)).toEqual(first);
      expect(await count('holders')).toBe(2);
    } finally {
      await Promise.all(databases.map((database) => database.close()));
    }
  });
});
