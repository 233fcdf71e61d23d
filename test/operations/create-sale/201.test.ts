import type { Sale, SaleHistory, SalePage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

it('opens a sale as it is described, with a history that begins there', async () => {
  const { id: clientId, email } = await insertClient(sql, holder.tokenId);
  const reply = await holder.ask('POST', '/dapp/sales', {
    body: { clientId, stage: 'ONGOING', description: 'Met at the fair' },
  });
  expect(reply.status).toBe(201);
  const sale = dataOf<Sale>(reply);
  expect(sale).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    stage: 'ONGOING',
    description: 'Met at the fair',
    clientId,
    client: { id: clientId, firstName: 'Ada', lastName: 'Example', email },
    orderId: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: sale.createdAt,
  });
  const { sales } = dataOf<SalePage>(await holder.ask('GET', `/dapp/sales?clientId=${clientId}`));
  expect(sales).toEqual([sale]);
  const { history } = dataOf<SaleHistory>(await holder.ask('GET', `/dapp/sales/${sale.id}/history`));
  expect(history).toEqual([{ stage: 'ONGOING', description: 'Met at the fair', changedAt: sale.createdAt }]);
});

it('opens a lead without a description when nothing else is said', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const sale = dataOf<Sale>(await holder.ask('POST', '/dapp/sales', { body: { clientId } }));
  expect(sale).toMatchObject({ stage: 'LEADS', description: '', clientId });
});

it('opens as many for a client as are asked for', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => holder.ask('POST', '/dapp/sales', { body: { clientId } })),
  );
  expect(new Set(replies.map((reply) => dataOf<Sale>(reply).id)).size).toBe(5);
});

it('opens one only when it is sent again with the same Idempotency-Key', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const send = () =>
    holder.ask('POST', '/dapp/sales', { body: { clientId }, headers: { 'idempotency-key': clientId } });
  const first = await send();
  const second = await send();
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const page = dataOf<SalePage>(await holder.ask('GET', `/dapp/sales?clientId=${clientId}`));
  expect(page.pageMetaDto.itemCount).toBe(1);
});
