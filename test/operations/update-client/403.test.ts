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

it('rejects an e-mail that another client of the digital key has, in any case, and changes nothing', async () => {
  await insertClient(sql, holder.tokenId, { email: 'taken@example.org' });
  for (const email of ['taken@example.org', 'TAKEN@example.org']) {
    const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve', email } });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'EMAIL_TAKEN',
      message: 'A client with this e-mail exists already',
      data: null,
    });
  }
  expect(await namesNow()).toEqual([{ first_name: 'Ada', email: 'ada@example.org' }]);
});

it('lets one of many clients have an e-mail that all want at once', async () => {
  const ids = [];
  for (let count = 0; count < 10; count++) ids.push((await insertClient(sql, holder.tokenId)).id);
  const replies = await Promise.all(
    ids.map((each) =>
      holder.ask('PATCH', `/dapp/clients/${each}`, { body: { email: 'wanted@example.org' } }),
    ),
  );
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(9).fill(403)]);
});

it('rejects an administrator, who has no digital key', async () => {
  const reply = await admin.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
  expect(reply.envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
