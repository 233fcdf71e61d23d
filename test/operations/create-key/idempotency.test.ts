import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

it('stores neither the secret key nor the Idempotency-Key in readable form', async () => {
  const headers = { 'idempotency-key': 'a key of the caller' };
  const reply = await holder.signedIn.ask('POST', '/keys', { body: { keyName: 'Secret' }, headers });
  const { secretKey } = reply.envelope.data as { secretKey: string };
  const rows = await sql<{ row: string }>('SELECT idempotency_keys::text AS row FROM idempotency_keys');
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) {
    expect(row).not.toContain(Buffer.from(secretKey).toString('hex'));
    expect(row).not.toContain(Buffer.from('a key of the caller').toString('hex'));
    expect(row).not.toContain('a key of the caller');
  }
});
