import type { AdminClientPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, insertedClientFields, kycFieldsOf } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

// A word that no client of another test has: what is counted here is of this file alone.
const word = `platform${holder.tokenId}`;
const people = [
  { owner: holder, firstName: 'Ada', email: `ada@${word}.org` },
  { owner: stranger, firstName: 'Ben', email: `ben@${word}.org`, adminApproval: 'PENDING' },
  {
    owner: holder,
    firstName: 'Cleo',
    email: `cleo_%@${word}.org`,
    adminApproval: 'REJECTED',
    isActive: false,
  },
  { owner: sibling, firstName: 'Dan', email: `dan@${word}.org`, isKycVerified: false },
];
const ids: string[] = [];
for (const [index, { owner, ...person }] of people.entries()) {
  const { id } = await insertClient(sql, owner.tokenId, person);
  // The last one is the newest of the whole platform.
  await sql(
    `UPDATE clients SET created_at = '2100-01-01'::timestamptz + make_interval(mins => $2) WHERE id = $1`,
    [id, holder.tokenId * 10 + index],
  );
  ids.push(id);
}
await sql(`UPDATE clients SET rejection_note = 'The document photo cannot be read.' WHERE id = $1`, [ids[2]]);

const list = async (query = '') => dataOf<AdminClientPage>(await admin.ask('GET', `/admin/clients${query}`));
const namesIn = ({ clients }: AdminClientPage) => clients.map((client) => client.firstName);

it('returns the clients of all digital keys, the newest first', async () => {
  const page = await list('?take=4');
  expect(namesIn(page)).toEqual(['Dan', 'Cleo', 'Ben', 'Ada']);
  expect(page.clients.map((client) => client.nft.tokenId)).toEqual(
    [sibling, holder, stranger, holder].map(({ tokenId }) => tokenId),
  );
  expect(page.pageMetaDto).toMatchObject({ page: 1, take: 4, hasPreviousPage: false });
  expect(page.pageMetaDto.itemCount).toBeGreaterThanOrEqual(4);
});

it('returns every field of a client, and the rejection note', async () => {
  const { clients } = await list(`?search=cleo_%25@${word}`);
  expect(clients).toEqual([
    {
      id: ids[2],
      firstName: 'Cleo',
      lastName: 'Example',
      email: `cleo_%@${word}.org`,
      ...insertedClientFields,
      adminApproval: 'REJECTED',
      isKYCVerified: true,
      isActive: false,
      ...kycFieldsOf('VERIFIED'),
      nft: { tokenId: holder.tokenId },
      createdAt: expect.stringMatching(/^21\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      rejectionNote: 'The document photo cannot be read.',
    },
  ]);
});

it('returns no note for those who have none', async () => {
  const { clients } = await list(`?search=ada@${word}`);
  expect(clients[0]?.rejectionNote).toBeNull();
});

it('counts the platform from counters, equal to a row count', async () => {
  const [counted] = await sql<{ all: number; active: number }>(
    'SELECT count(*)::int AS all, (count(*) FILTER (WHERE is_active))::int AS active FROM clients WHERE archived_at IS NULL',
  );
  expect((await list('?take=1')).pageMetaDto.itemCount).toBe(counted?.all);
  expect((await list('?take=1&isActive=true')).pageMetaDto.itemCount).toBe(counted?.active);
});

it('can be walked page by page', async () => {
  const walked: string[] = [];
  for (let page = 1; page <= 3; page++) {
    const part = await list(`?search=${word}&take=2&page=${page}`);
    walked.push(...namesIn(part));
    expect(part.pageMetaDto).toEqual({
      page,
      take: 2,
      itemCount: 4,
      totalCount: 4,
      pageCount: 2,
      hasPreviousPage: page > 1,
      hasNextPage: page < 2,
    });
  }
  expect(walked).toEqual(['Dan', 'Cleo', 'Ben', 'Ada']);
});

describe('filters', () => {
  it.each([
    ['', ['Dan', 'Cleo', 'Ben', 'Ada']],
    ['&adminApproval=PENDING', ['Ben']],
    ['&adminApproval=VERIFIED', ['Dan', 'Ada']],
    ['&adminApproval=REJECTED', ['Cleo']],
    ['&isActive=true', ['Dan', 'Ben', 'Ada']],
    ['&isActive=false', ['Cleo']],
    ['&isKYCVerified=true', ['Cleo', 'Ben', 'Ada']],
    ['&isKYCVerified=false', ['Dan']],
    [`&tokenId=${holder.tokenId}`, ['Cleo', 'Ada']],
    [`&tokenId=${holder.tokenId}&isActive=true`, ['Ada']],
    ['&tokenId=9999999999999999', []],
    ['&adminApproval=&isActive=&isKYCVerified=', ['Dan', 'Cleo', 'Ben', 'Ada']],
  ])('with a search and %j', async (query, expected) => {
    const page = await list(`?search=${word}${query}`);
    expect(namesIn(page)).toEqual(expected);
    expect(page.pageMetaDto.itemCount).toBe(expected.length);
  });

  it.each([
    ['', ['Cleo', 'Ada']],
    ['&adminApproval=REJECTED', ['Cleo']],
    ['&isActive=true', ['Ada']],
    ['&isKYCVerified=false', []],
    ['&search=', ['Cleo', 'Ada']],
  ])('with a digital key and %j', async (query, expected) => {
    const page = await list(`?tokenId=${holder.tokenId}${query}`);
    expect(namesIn(page)).toEqual(expected);
    expect(page.pageMetaDto.itemCount).toBe(expected.length);
  });
});
