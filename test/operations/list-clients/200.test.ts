import type { ClientPage } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertClient, insertedClientFields, kycFieldsOf } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, sql } = await openStorefront();

// Whoever is entered later is listed earlier.
const { tokenId } = holder;
const people = [
  { firstName: 'Ada', lastName: 'Example', email: 'countess@example.org' },
  { firstName: 'Ben', lastName: 'Adair', email: 'ben@example.org', adminApproval: 'PENDING' },
  { firstName: 'Cleo', lastName: 'Example', email: 'cleo_50%@example.org', isActive: false },
  { firstName: 'Dan', lastName: 'Back\\slash', email: 'dan@example.net', isKycVerified: false },
  {
    firstName: 'Eve',
    lastName: 'Example',
    email: 'eve@example.org',
    adminApproval: 'REJECTED',
    isActive: false,
  },
];
for (const [index, person] of people.entries()) {
  const { id } = await insertClient(sql, tokenId, person);
  await sql(
    `UPDATE clients SET created_at = '2026-01-01'::timestamptz + make_interval(mins => $2) WHERE id = $1`,
    [id, index],
  );
  // The others have somebody whom every search and filter below would find.
  for (const other of [stranger, sibling]) {
    await insertClient(sql, other.tokenId, { ...person, lastName: `${person.lastName} Other` });
  }
}

const list = async (query = '', caller: TestCaller = holder) =>
  dataOf<ClientPage>(await caller.ask('GET', `/dapp/clients${query}`));
const namesIn = ({ clients }: ClientPage) => clients.map((client) => client.firstName);

it('returns the clients of the digital key, the newest first, with every field', async () => {
  const page = await list();
  expect(namesIn(page)).toEqual(['Eve', 'Dan', 'Cleo', 'Ben', 'Ada']);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 5,
    totalCount: 5,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
  expect(page.clients[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    firstName: 'Eve',
    lastName: 'Example',
    email: 'eve@example.org',
    ...insertedClientFields,
    adminApproval: 'REJECTED',
    isKYCVerified: true,
    isActive: false,
    ...kycFieldsOf('VERIFIED'),
    nft: { tokenId },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

it('returns the same to a token in place of a signature', async () => {
  expect(await list('', holder.signedIn)).toEqual(await list());
});

describe('pages', () => {
  it('can be walked from end to end, nobody twice and nobody left out', async () => {
    const walked: string[] = [];
    for (let page = 1; page <= 3; page++) {
      const { pageMetaDto, ...rest } = await list(`?page=${page}&take=2`);
      walked.push(...namesIn({ pageMetaDto, ...rest }));
      expect(pageMetaDto).toEqual({
        page,
        take: 2,
        itemCount: 5,
        totalCount: 5,
        pageCount: 3,
        hasPreviousPage: page > 1,
        hasNextPage: page < 3,
      });
    }
    expect(walked).toEqual(['Eve', 'Dan', 'Cleo', 'Ben', 'Ada']);
  });

  it('can be walked through what a search finds', async () => {
    const first = await list('?search=example.org&take=3');
    const second = await list('?search=example.org&take=3&page=2');
    expect([...namesIn(first), ...namesIn(second)]).toEqual(['Eve', 'Cleo', 'Ben', 'Ada']);
    expect(second.pageMetaDto).toMatchObject({ itemCount: 4, pageCount: 2, hasNextPage: false });
  });

  it('are empty beyond the last one, and still say how many there are', async () => {
    for (const query of ['?page=7', '?page=2147483647&take=1000', '?page=7&search=Example']) {
      const page = await list(query);
      expect(page.clients).toEqual([]);
      expect(page.pageMetaDto).toMatchObject({ itemCount: 5, hasPreviousPage: true, hasNextPage: false });
    }
  });

  it('take `limit` for another name of `take`', async () => {
    expect(namesIn(await list('?limit=1'))).toEqual(['Eve']);
    expect(namesIn(await list('?limit=2&take=2'))).toEqual(['Eve', 'Dan']);
  });

  it('put clients of the same moment into one order, by id', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await insertClient(sql, sibling.tokenId)).id);
    await sql(`UPDATE clients SET created_at = '2020-01-01' WHERE id = ANY ($1)`, [ids]);
    const { clients } = await list('?take=1000', sibling);
    expect(clients.slice(-3).map((client) => client.id)).toEqual(ids.toSorted().toReversed());
  });
});

describe('search', () => {
  it.each([
    ['a first name', 'cleo', ['Cleo']],
    ['a part of one', 'LEO', ['Cleo']],
    ['a last name', 'adair', ['Ben']],
    ['first and last name together', 'Ada Example', ['Ada']],
    ['the end of the one and the beginning of the other', 'a exa', ['Ada']],
    ['a part of an e-mail', 'EXAMPLE.NET', ['Dan']],
    ['what stands in names and in e-mails', 'ada', ['Ben', 'Ada']],
    ['a per cent sign, which stands for itself', '%', ['Cleo']],
    ['an underscore, which stands for itself', '_', ['Cleo']],
    ['a backslash, which stands for itself', '\\', ['Dan']],
    ['nobody', 'nobody like this', []],
    ['what only others have', 'Other', []],
  ])('finds %s', async (_what, search, expected) => {
    const page = await list(`?search=${encodeURIComponent(search)}`);
    expect(namesIn(page)).toEqual(expected);
    expect(page.pageMetaDto.itemCount).toBe(expected.length);
  });
});

describe('filters', () => {
  it.each([
    ['adminApproval=PENDING', ['Ben']],
    ['adminApproval=VERIFIED', ['Dan', 'Cleo', 'Ada']],
    ['adminApproval=REJECTED', ['Eve']],
    ['isActive=true', ['Dan', 'Ben', 'Ada']],
    ['isActive=false', ['Eve', 'Cleo']],
    ['isKYCVerified=true', ['Eve', 'Cleo', 'Ben', 'Ada']],
    ['isKYCVerified=false', ['Dan']],
    ['adminApproval=VERIFIED&isActive=true&isKYCVerified=true', ['Ada']],
    ['adminApproval=PENDING&isActive=false', []],
    ['adminApproval=VERIFIED&search=example', ['Dan', 'Cleo', 'Ada']],
    ['isActive=false&search=eve', ['Eve']],
    ['isKYCVerified=false&search=ada', []],
    ['search=&adminApproval=&isActive=&isKYCVerified=', ['Eve', 'Dan', 'Cleo', 'Ben', 'Ada']],
    ['colour=green', ['Eve', 'Dan', 'Cleo', 'Ben', 'Ada']],
  ])('%s', async (query, expected) => {
    const page = await list(`?${query}`);
    expect(namesIn(page)).toEqual(expected);
    expect(page.pageMetaDto.itemCount).toBe(expected.length);
  });
});

it('shows nobody else’s client, in no list, count or search', async () => {
  for (const query of ['?take=1000', '?take=1000&search=example', '?take=1000&adminApproval=VERIFIED']) {
    const { clients, pageMetaDto } = await list(query);
    expect(clients.length).toBeGreaterThan(0);
    expect(clients.every((client) => client.nft.tokenId === tokenId)).toBe(true);
    expect(pageMetaDto.itemCount).toBe(clients.length);
  }
});

it('is empty for a digital key without clients', async () => {
  const { holder: newcomer } = await openStorefront();
  expect(await list('', newcomer)).toEqual({
    clients: [],
    pageMetaDto: {
      page: 1,
      take: 10,
      itemCount: 0,
      totalCount: 0,
      pageCount: 0,
      hasPreviousPage: false,
      hasNextPage: false,
    },
  });
});
