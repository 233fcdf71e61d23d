import type { Sale, SaleHistory, SalePage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, sql } = await openStorefront();

const ownSale = async (caller: typeof holder) => {
  const { sales } = dataOf<SalePage>(await caller.ask('GET', '/dapp/sales?take=1000'));
  return sales.filter((sale) => sale.clientId === null);
};
const insertSale = async (): Promise<string> => {
  const client = await insertClient(sql, holder.tokenId);
  const [row] = await sql<{ id: string }>(
    'INSERT INTO sales (token_id, client_id) VALUES ($1, $2) RETURNING id',
    [holder.tokenId, client.id],
  );
  return row?.id ?? '';
};

it('changes the own sale of the digital key when no id is given, and no other', async () => {
  const before = await Promise.all([ownSale(sibling), ownSale(stranger)]);
  const [own] = await ownSale(holder);
  const reply = await holder.ask('PATCH', '/dapp/sales', { body: { stage: 'ONGOING', description: 'Fair' } });
  expect(reply.status).toBe(200);
  expect(dataOf<Sale>(reply)).toEqual({
    id: own?.id,
    stage: 'ONGOING',
    description: 'Fair',
    clientId: null,
    client: null,
    orderId: null,
    createdAt: own?.createdAt,
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(await ownSale(holder)).toEqual([dataOf<Sale>(reply)]);
  expect(await Promise.all([ownSale(sibling), ownSale(stranger)])).toEqual(before);
});

it('changes the sale that is named, also in capital letters, and leaves out what is not given', async () => {
  const id = await insertSale();
  const change = async (query: string, body: object) =>
    dataOf<Sale>(await holder.ask('PATCH', `/dapp/sales?id=${query}`, { body }));
  expect(await change(id, { description: 'Called back' })).toMatchObject({
    id,
    stage: 'LEADS',
    description: 'Called back',
  });
  expect(await change(id.toUpperCase(), { stage: 'CLOSED' })).toMatchObject({
    id,
    stage: 'CLOSED',
    description: 'Called back',
  });
});

it('empties a description that is given as empty', async () => {
  const id = await insertSale();
  await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { description: 'Something' } });
  const sale = dataOf<Sale>(await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { description: '' } }));
  expect(sale.description).toBe('');
});

it('allows every change of stage, and records each', async () => {
  const id = await insertSale();
  const walk = ['ONGOING', 'CLOSED', 'LEADS', 'CLOSED', 'ONGOING', 'LEADS'];
  for (const stage of walk) {
    const sale = dataOf<Sale>(await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { stage } }));
    expect(sale.stage).toBe(stage);
  }
  const { history } = dataOf<SaleHistory>(await holder.ask('GET', `/dapp/sales/${id}/history`));
  expect(history.map(({ stage }) => stage)).toEqual(['LEADS', ...walk]);
});

it('stores 2000 characters of any script', async () => {
  const description = '🌿'.repeat(2000);
  const reply = await holder.ask('PATCH', '/dapp/sales', { body: { description } });
  expect(dataOf<Sale>(reply).description).toBe(description);
});

it('lets the same holder in with a token', async () => {
  const reply = await holder.signedIn.ask('PATCH', '/dapp/sales', { body: { stage: 'LEADS' } });
  expect(dataOf<Sale>(reply).clientId).toBe(null);
});
