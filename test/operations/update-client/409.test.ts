import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const { id } = await insertClient(sql, holder.tokenId, { email: 'ada@example.org' });
const namesNow = () => sql('SELECT first_name, email FROM clients WHERE id = $1', [id]);

it('rejects an e-mail that another client of the digital key has, in any case, and changes nothing', async () => {
  await insertClient(sql, holder.tokenId, { email: 'taken@example.org' });
  for (const email of ['taken@example.org', 'TAKEN@example.org']) {
    const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve', email } });
    expect(reply.status).toBe(409);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 409,
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
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
});
