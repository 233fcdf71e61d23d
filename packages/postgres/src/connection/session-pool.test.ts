import { expect, it } from 'vitest';
import { createTestDatabase, runSql } from '../../../../test/support/test-database.ts';
import { openSessionPool } from './session-pool.ts';

const options = { role: null, size: 1, durable: true, onIdleError: () => undefined };

it('reports a lost connection with a code after which graphile-worker tries again', {
  tags: ['long'],
}, async () => {
  const { loginUrl, ownerUrl, close } = await createTestDatabase();
  const pool = openSessionPool({ ...options, url: loginUrl });
  try {
    // Repeated, because PostgreSQL closes the connection a moment after it reported the end.
    for (let repetition = 0; repetition < 20; repetition++) {
      const client = await pool.connect();
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const waiting = client.query('SELECT pg_sleep(60)').catch((error) => error);
      await runSql(ownerUrl, 'SELECT pg_terminate_backend($1)', [rows[0].pid]);
      expect(await waiting).toMatchObject({ code: 'ETIMEDOUT' });
      client.release();
      // What is wrong with the statement itself is not tried again.
      await expect(pool.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' });
    }
  } finally {
    await pool.end();
    await close();
  }
});

it('reports a server that cannot be reached in the same way', async () => {
  const pool = openSessionPool({ ...options, url: 'postgres://nobody@127.0.0.1:1/nothing' });
  await expect(pool.connect()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await pool.end();
});
