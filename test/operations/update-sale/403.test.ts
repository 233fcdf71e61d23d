import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])('rejects the sale of %s and leaves it as it is', async (_name, other) => {
  const look = () =>
    sql<{ id: string }>('SELECT * FROM sales WHERE token_id = $1 AND client_id IS NULL', [other.tokenId]);
  const [before] = await look();
  const reply = await holder.ask('PATCH', `/dapp/sales?id=${before?.id}`, { body: { stage: 'CLOSED' } });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'NOT_OWNED',
    message: 'Sale belongs to another holder or digital key',
    data: null,
  });
  expect(await look()).toEqual([before]);
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('PATCH', '/dapp/sales', { body: { stage: 'CLOSED' } });
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
