import { randomInt } from 'node:crypto';
import type { AdminClientPage, ClientPage } from '@keyfront/protocol';
import { beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../../packages/demo/src/values/random.ts';
import { scaled } from '../../support/scale.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, admin, sql } = await openStorefront();

const seed = Number(process.env.CLIENT_FILTERS_SEED ?? randomInt(2 ** 31));
const random = createRandom(seed);

const approvals = ['PENDING', 'VERIFIED', 'REJECTED'];
const firstNames = ['Ada', 'Bea', 'Élodie', '100%'];
const lastNames = ['Lovelace', "O'Brien", 'Under_score', 'Adair'];
const contactNumbers = ['', '200 555 010', '0351-200', '555'];

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly contactNumber: string;
  readonly adminApproval: string;
  readonly isActive: boolean;
  readonly isKycVerified: boolean;
}

/** Oldest first. */
const people: Person[] = [];

beforeAll(async () => {
  for (let index = 0; index < 48; index++) {
    const firstName = random.pick(firstNames);
    const lastName = random.pick(lastNames);
    const person = {
      email: `${random.pick(['ada', 'bea', 'zoe_5%'])}${index}@example.org`,
      contactNumber: random.pick(contactNumbers),
      adminApproval: random.pick(approvals),
      isActive: random.chance(0.6),
      isKycVerified: random.chance(0.6),
    };
    // The others have everybody too, and must not be found.
    for (const { tokenId } of [holder, sibling, stranger]) {
      const { id } = await insertClient(sql, tokenId, { firstName, lastName, ...person });
      await sql(
        `UPDATE clients SET contact_number = $2, created_at = '2026-01-01'::timestamptz + make_interval(mins => $3)
         WHERE id = $1`,
        [id, person.contactNumber, index],
      );
      if (tokenId === holder.tokenId) people.push({ id, name: `${firstName} ${lastName}`, ...person });
    }
  }
});

/** The values of each filter, '' for a filter that is left out. */
const filters = {
  orderBy: ['', '', 'asc', 'desc'],
  search: ['', '', 'ada', 'A', '0 5', '555', '%', '_', 'a love', '@example', "o'b", 'LODIE'],
  searchBy: ['', '', 'clientName', 'email', 'contactNumber'],
  status: ['', '', 'ACTIVE', 'INACTIVE'],
  kyc: ['', '', 'true', 'false'],
  adminApproval: ['', '', ...approvals],
  isActive: ['', '', 'true', 'false'],
  isKYCVerified: ['', '', 'true', 'false'],
};
type Query = Record<keyof typeof filters, string>;

/** What a list has to contain, client by client. */
function findPlainly(query: Query): string[] {
  const contains = (text: string) => text.toLowerCase().includes(query.search.toLowerCase());
  const matches = (person: Person) => {
    const texts = { clientName: person.name, email: person.email, contactNumber: person.contactNumber };
    const searched = query.searchBy ? [texts[query.searchBy as keyof typeof texts]] : Object.values(texts);
    return (
      (query.search === '' || searched.some(contains)) &&
      (query.status === '' || (query.status === 'ACTIVE') === person.isActive) &&
      (query.isActive === '' || (query.isActive === 'true') === person.isActive) &&
      (query.kyc === '' || (query.kyc === 'true') === person.isKycVerified) &&
      (query.isKYCVerified === '' || (query.isKYCVerified === 'true') === person.isKycVerified) &&
      (query.adminApproval === '' || query.adminApproval === person.adminApproval)
    );
  };
  const ids = people.filter(matches).map(({ id }) => id);
  return query.orderBy === 'asc' ? ids : ids.toReversed();
}

/** A filter that is left out is as good as an empty one. */
function writeQuery(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== '' || random.chance(0.3));
  return given
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
    .join('&');
}

it(`returns exactly what a plain reference finds, in its order (CLIENT_FILTERS_SEED=${seed})`, async () => {
  const names = Object.keys(filters) as (keyof typeof filters)[];
  const empty = Object.fromEntries(names.map((name) => [name, ''])) as Query;
  // Each value of each filter alone, and then random combinations.
  const queries: Query[] = names.flatMap((name) =>
    filters[name].map((value) => ({ ...empty, [name]: value })),
  );
  for (let count = 0; count < scaled(40); count++) {
    const query = Object.fromEntries(names.map((name) => [name, random.pick(filters[name])])) as Query;
    // Two names for one thing must say the same.
    if (query.status && query.isActive) query.isActive = String(query.status === 'ACTIVE');
    if (query.kyc && query.isKYCVerified) query.kyc = query.isKYCVerified;
    queries.push(query);
  }
  for (const query of queries) {
    const text = writeQuery(query);
    const expected = findPlainly(query);
    const page = dataOf<ClientPage>(await holder.ask('GET', `/dapp/clients?take=1000&${text}`));
    expect([text, page.clients.map(({ id }) => id)]).toEqual([text, expected]);
    expect([text, page.pageMetaDto.itemCount]).toEqual([text, expected.length]);
    const ofAdmin = dataOf<AdminClientPage>(
      await admin.ask('GET', `/admin/clients?take=1000&tokenId=${holder.tokenId}&${text}`),
    );
    expect([text, ofAdmin.clients.map(({ id }) => id)]).toEqual([text, expected]);
  }
});

it('walks pages of either direction from end to end', async () => {
  for (const [orderBy, expected] of [
    ['asc', people],
    ['desc', people.toReversed()],
  ] as const) {
    const walked: string[] = [];
    for (let page = 1; page <= 5; page++) {
      const reply = await holder.ask('GET', `/dapp/clients?page=${page}&take=10&orderBy=${orderBy}`);
      walked.push(...dataOf<ClientPage>(reply).clients.map(({ id }) => id));
    }
    expect(walked).toEqual(expected.map(({ id }) => id));
  }
});
