import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import { readMigrations } from '../../database/migrations/migrations.ts';

const [ada, ben, token, marketplace] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`);

describe('the migration that adds nonces', () => {
  let old: TestDatabase;
  beforeAll(async () => {
    old = await createTestDatabase('nothing');
    const migrations = await readMigrations();
    await migrate({ ...old, migrations: migrations.filter(({ name }) => name < '0023') });
    await run(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
    await run(`INSERT INTO holders (wallet_address) VALUES ('${ada}')`);
    await run(`INSERT INTO digital_keys (token_id, holder_id, planet_id)
      SELECT unnest(ARRAY[1, 2, 3]), holders.id, planets.id FROM holders, planets`);
    await run(`INSERT INTO nft_sales (token_id, seller_id, price, currency, state, expires_at)
      SELECT 1, id, 1, 'ETH', 'LISTED', now() + interval '1 day' FROM holders
      UNION ALL SELECT 2, id, 1, 'ETH', 'SOLD', now() FROM holders`);
    const transfers = [
      ['MINT', 1, null, ada],
      ['TRANSFER', 1, ada, ben],
      ['TRANSFER', 1, ben, ben],
      ['TRANSFER', 1, ben, ada],
      ['MINT', 2, null, ada],
    ];
    for (const [index, transfer] of transfers.entries()) {
      await run(
        `INSERT INTO transactions (type, token_id, from_address, to_address, chain_id, tx_hash, log_index, block_number,
           occurred_at, origin)
         VALUES ($1, $2, $3, $4, 1, '0x' || repeat('0', 64), $5, 1, now(), 'CHAIN')`,
        [...transfer, index],
      );
    }
  });
  afterAll(() => old.close());

  const run = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    runSql<Row>(`${old.ownerUrl}&options=-c%20search_path%3Dkeyfront`, text, values);

  it('counts what an earlier version has read, and ends the sales that were open', async () => {
    await run(
      `INSERT INTO chain_positions (chain_id, token_contract, marketplace_contract, block_number, finalized_number)
       VALUES (1, $1, $2, 1, 1)`,
      [token, marketplace],
    );
    await migrate({ ...old, migrations: await readMigrations() });
    expect(
      await run(
        'SELECT token_id::int AS id, nonce::int, nonce_contract AS contract FROM digital_keys ORDER BY 1',
      ),
    ).toEqual([
      { id: 1, nonce: 3, contract: token },
      { id: 2, nonce: 1, contract: token },
      { id: 3, nonce: 0, contract: null },
    ]);
    expect(await run('SELECT state FROM nft_sales ORDER BY token_id')).toEqual([
      { state: 'CANCELLED' },
      { state: 'SOLD' },
    ]);
  });
});
