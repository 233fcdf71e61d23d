import { randomInt } from 'node:crypto';
import type { Client, ClientStatusBreakdown, ClientSummary } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { createRandom } from '../../../packages/demo/src/values/random.ts';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

const summarise = async (caller: TestCaller = holder) =>
  dataOf<ClientSummary>(await caller.ask('GET', '/dapp/clients/summary'));

const nothing = {
  total: 0,
  active: 0,
  inactive: 0,
  kycVerified: 0,
  adminApproval: { PENDING: 0, VERIFIED: 0, REJECTED: 0 },
  summary: { PENDING: 0, VERIFIED: 0, REJECTED: 0, totalCount: 0 },
};

it('counts clients by activity, KYC and approval, and nobody else’s among them', async () => {
  expect(await summarise()).toEqual(nothing);
  await insertClient(sql, holder.tokenId);
  await insertClient(sql, holder.tokenId);
  await insertClient(sql, holder.tokenId, { adminApproval: 'PENDING', isKycVerified: false });
  await insertClient(sql, holder.tokenId, { adminApproval: 'REJECTED', isActive: false });
  for (const { tokenId } of [stranger, sibling]) await insertClient(sql, tokenId);
  const reply = await holder.ask('GET', '/dapp/clients/summary');
  expect(reply.status).toBe(200);
  expect(reply.envelope).toEqual({
    success: true,
    statusCode: 200,
    message: 'Success',
    data: {
      total: 4,
      active: 3,
      inactive: 1,
      kycVerified: 3,
      adminApproval: { PENDING: 1, VERIFIED: 2, REJECTED: 1 },
      summary: { PENDING: 1, VERIFIED: 2, REJECTED: 1, totalCount: 4 },
    },
  });
  expect(await summarise(holder.signedIn)).toEqual(await summarise());
  expect(await summarise(sibling)).toMatchObject({ total: 1 });
});

/** What the summary has to be: counted, client by client. */
async function count(tokenId: number): Promise<ClientSummary> {
  const rows = await sql<{ admin_approval: 'PENDING'; is_active: boolean; is_kyc_verified: boolean }>(
    'SELECT admin_approval, is_active, is_kyc_verified FROM clients WHERE token_id = $1 AND archived_at IS NULL',
    [tokenId],
  );
  const summary = structuredClone(nothing);
  for (const row of rows) {
    summary.total++;
    if (row.is_active) summary.active++;
    else summary.inactive++;
    if (row.is_kyc_verified) summary.kycVerified++;
    summary.adminApproval[row.admin_approval]++;
    summary.summary[row.admin_approval]++;
    summary.summary.totalCount++;
  }
  return summary;
}

const seed = Number(process.env.CLIENT_TALLIES_SEED ?? randomInt(2 ** 31));

it(`stays equal to a real count, whatever happens (CLIENT_TALLIES_SEED=${seed})`, {
  tags: ['long'],
}, async () => {
  const { holder: first, stranger: second } = await openStorefront();
  const random = createRandom(seed);
  const callers = [first, second];
  const ids: string[] = [];
  const create = async (number: number): Promise<string | null> => {
    const body = { firstName: 'Ada', lastName: 'Example', email: `ada${number % 25}@example.org` };
    const reply = await random.pick(callers).ask('POST', '/dapp/clients', { body });
    // An e-mail that is taken is refused, and must not be counted.
    if (reply.status === 201) return dataOf<Client>(reply).id;
    expect(reply.status).toBe(409);
    return null;
  };
  const change = async (): Promise<null> => {
    const body = random.pick([
      { adminApproval: random.pick(['PENDING', 'VERIFIED', 'REJECTED']) },
      { isActive: random.chance(0.5) },
      { isKYCVerified: random.chance(0.5), adminApproval: 'VERIFIED' },
      // Only a rejected client has a note: often the whole change is refused.
      { isActive: random.chance(0.5), rejectionNote: 'Because.' },
    ]);
    const id = random.pick(ids);
    const caller = random.pick(callers);
    const reply = await random.pick([
      () => admin.ask('PATCH', `/admin/clients/${id}`, { body }),
      () => admin.ask('PATCH', `/admin/clients/${id}`, { body }),
      () => caller.ask('PATCH', `/dapp/clients/${id}/${random.pick(['activate', 'deactivate'])}`),
      () => caller.ask('DELETE', `/dapp/clients/${id}${random.pick(['', '?erase=true'])}`),
    ])();
    expect([200, 403, 404]).toContain(reply.status);
    return null;
  };
  for (let round = 0; round < 20; round++) {
    // Several at once, so that they update the same counters.
    const created = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        ids.length === 0 || random.chance(0.4) ? create(round * 5 + index) : change(),
      ),
    );
    ids.push(...created.filter((id) => id !== null));
  }
  for (const caller of callers) expect(await summarise(caller)).toEqual(await count(caller.tokenId));

  const platform = dataOf<ClientStatusBreakdown>(await admin.ask('GET', '/clients/status-breakdown'));
  const counted = await sql<{ status: string; count: number }>(
    'SELECT admin_approval AS status, count(*)::int FROM clients WHERE archived_at IS NULL GROUP BY 1',
  );
  expect(platform.statuses.map(({ status, count }) => ({ status, count }))).toEqual(
    ['PENDING', 'VERIFIED', 'REJECTED'].map(
      (status) => counted.find((row) => row.status === status) ?? { status, count: 0 },
    ),
  );
});
