import type { Sale } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin } = await openStorefront();

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])('rejects the history of a sale of %s', async (_name, other) => {
  const sale = dataOf<Sale>(await other.ask('PATCH', '/dapp/sales', { body: { description: 'Private' } }));
  const reply = await holder.ask('GET', `/dapp/sales/${sale.id}/history`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    code: 'NOT_OWNED',
    message: 'Sale belongs to another holder or digital key',
    data: null,
  });
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('GET', `/dapp/sales/${unknownId}/history`);
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
