import type { SaleSummary } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

const summaryOf = async (caller: { ask: typeof holder.ask }) =>
  dataOf<SaleSummary>(await caller.ask('GET', '/dapp/sales/summary'));

const countsOf = (stages: SaleSummary['stages']): SaleSummary => {
  const total = stages.LEADS + stages.ONGOING + stages.CLOSED;
  return { total, stages, summary: { ...stages, totalCount: total } };
};

it('counts the own sale alone where there is no other', async () => {
  const { holder: fresh } = await openStorefront();
  expect(await summaryOf(fresh)).toEqual(countsOf({ LEADS: 1, ONGOING: 0, CLOSED: 0 }));
});

it('counts each stage, follows every change, and sees nothing of others', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  for (const stage of ['LEADS', 'ONGOING', 'ONGOING', 'CLOSED', 'CLOSED', 'CLOSED']) {
    await holder.ask('POST', '/dapp/sales', { body: { clientId, stage } });
  }
  expect(await summaryOf(holder)).toEqual(countsOf({ LEADS: 2, ONGOING: 2, CLOSED: 3 }));
  await holder.ask('PATCH', '/dapp/sales', { body: { stage: 'CLOSED' } });
  expect(await summaryOf(holder)).toEqual(countsOf({ LEADS: 1, ONGOING: 2, CLOSED: 4 }));
  expect(await summaryOf(holder.signedIn)).toEqual(await summaryOf(holder));
  for (const other of [stranger, sibling]) {
    expect(await summaryOf(other)).toEqual(countsOf({ LEADS: 1, ONGOING: 0, CLOSED: 0 }));
  }
});
