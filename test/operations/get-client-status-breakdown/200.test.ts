import type { Approval, ClientStatusBreakdown } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { sql, admin } = await openStorefront();

const divide = async (caller: TestCaller) =>
  dataOf<ClientStatusBreakdown>(await caller.ask('GET', '/clients/status-breakdown'));

async function insertClients(tokenId: number, counts: Readonly<Record<Approval, number>>): Promise<void> {
  for (const [adminApproval, count] of Object.entries(counts)) {
    for (let made = 0; made < count; made++) await insertClient(sql, tokenId, { adminApproval });
  }
}

it('has all three approvals, with zeros, where there is no client', async () => {
  const { holder } = await openStorefront();
  const reply = await holder.ask('GET', '/clients/status-breakdown');
  expect(reply.status).toBe(200);
  expect(reply.envelope).toEqual({
    success: true,
    statusCode: 200,
    message: 'Success',
    data: {
      total: 0,
      statuses: [
        { status: 'PENDING', count: 0, percentage: 0 },
        { status: 'VERIFIED', count: 0, percentage: 0 },
        { status: 'REJECTED', count: 0, percentage: 0 },
      ],
    },
  });
});

it('counts the clients of the digital key and nobody else’s, by signature or token', async () => {
  const { holder, stranger, sibling } = await openStorefront();
  await insertClients(holder.tokenId, { PENDING: 1, VERIFIED: 5, REJECTED: 0 });
  await insertClients(stranger.tokenId, { PENDING: 0, VERIFIED: 0, REJECTED: 2 });
  await insertClients(sibling.tokenId, { PENDING: 1, VERIFIED: 0, REJECTED: 1 });
  for (const caller of [holder, holder.signedIn]) {
    expect(await divide(caller)).toEqual({
      total: 6,
      statuses: [
        { status: 'PENDING', count: 1, percentage: 16.67 },
        { status: 'VERIFIED', count: 5, percentage: 83.33 },
        { status: 'REJECTED', count: 0, percentage: 0 },
      ],
    });
  }
});

it('makes the percentages of thirds add up to 100 all the same', async () => {
  const { holder } = await openStorefront();
  await insertClients(holder.tokenId, { PENDING: 1, VERIFIED: 1, REJECTED: 1 });
  expect((await divide(holder)).statuses.map(({ percentage }) => percentage)).toEqual([33.34, 33.33, 33.33]);
});

it('covers the whole platform for an administrator', async () => {
  const { holder, stranger } = await openStorefront();
  const before = await divide(admin);
  await insertClients(holder.tokenId, { PENDING: 1, VERIFIED: 0, REJECTED: 2 });
  await insertClients(stranger.tokenId, { PENDING: 1, VERIFIED: 1, REJECTED: 0 });
  const after = await divide(admin);
  expect(after.total - before.total).toBe(5);
  expect(
    after.statuses.map(({ status, count }, index) => [status, count - (before.statuses[index]?.count ?? 0)]),
  ).toEqual([
    ['PENDING', 2],
    ['VERIFIED', 1],
    ['REJECTED', 2],
  ]);
  const hundredths = after.statuses.reduce((sum, { percentage }) => sum + Math.round(percentage * 100), 0);
  expect(hundredths).toBe(10_000);
});
