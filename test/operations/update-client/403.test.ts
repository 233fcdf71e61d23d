import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

const { id } = await insertClient(sql, holder.tokenId, { email: 'ada@example.org' });
const namesNow = () => sql('SELECT first_name, email FROM clients WHERE id = $1', [id]);

it('rejects another holder and another digital key of the same holder, and changes nothing', async () => {
  for (const caller of [stranger, sibling]) {
    const reply = await caller.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Client belongs to another holder or digital key',
      data: null,
    });
  }
  expect(await namesNow()).toEqual([{ first_name: 'Ada', email: 'ada@example.org' }]);
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
