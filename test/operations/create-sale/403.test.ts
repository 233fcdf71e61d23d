import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])('opens nothing for a client of %s', async (_name, other) => {
  const { id: clientId } = await insertClient(sql, other.tokenId);
  const reply = await holder.ask('POST', '/dapp/sales', { body: { clientId } });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'NOT_OWNED',
    message: 'Client belongs to another holder or digital key',
    data: null,
  });
  expect(await sql('SELECT FROM sales WHERE client_id = $1', [clientId])).toEqual([]);
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('POST', '/dapp/sales', { body: { clientId: unknownId } });
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
