import type { AuditEntry, AuditPage, AuditSubject, Planet } from '@keyfront/protocol';
import { getAddress } from 'viem/utils';
import { expect, it } from 'vitest';
import { insertOrder } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, admin, sql } = await openStorefront();

async function list(query: string): Promise<AuditPage> {
  const reply = await admin.ask('GET', `/admin/audit?${query}`);
  expect(reply.status).toBe(200);
  return dataOf<AuditPage>(reply);
}

/** Straight into the database: what an administrator with this wallet did at this minute. */
async function insertEntry(administrator: string, subject: AuditSubject, minute: number): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO audit (administrator, subject, subject_id, action, before, after, created_at)
     VALUES ($1, $2, uuid_v7(), 'CHANGE', '{"name":"A"}', '{"name":"B"}', '2026-01-01T00:00Z'::timestamptz + $3 * interval '1 minute')
     RETURNING id`,
    [administrator, subject, minute],
  );
  return row?.id ?? '';
}

const idsOf = ({ entries }: AuditPage) => entries.map(({ id }) => id);

it('shows what was created and what was changed, with every field, the newest first', async () => {
  const number = 1_000 * holder.tokenId;
  const body = { number, name: `Audited ${number}`, imageUrl: 'https://images.example/1.png' };
  const planet = dataOf<Planet>(await admin.ask('POST', '/admin/planets', { body }));
  await admin.ask('PATCH', `/admin/planets/${planet.id}`, { body: { imageUrl: null } });
  const page = await list(`subjectId=${planet.id}`);
  const common = {
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    administrator: getAddress(admin.walletAddress),
    provider: null,
    holder: null,
    subject: 'PLANET',
    subjectId: planet.id,
    subjectName: body.name,
    createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  };
  expect(page).toEqual({
    entries: [
      { ...common, action: 'CHANGE', before: { imageUrl: body.imageUrl }, after: { imageUrl: null } },
      { ...common, action: 'CREATE', before: null, after: { ...body, description: '' } },
    ],
    pageMetaDto: {
      page: 1,
      take: 10,
      itemCount: 2,
      totalCount: 2,
      pageCount: 1,
      hasPreviousPage: false,
      hasNextPage: false,
    },
  });
});

it('shows values of every kind as they were kept', async () => {
  const before = {
    list: ['PRT'],
    planet: { number: 1, name: 'Verdane' },
    price: 10,
    ok: true,
    none: null,
    n: 0.5,
  };
  const after = {
    list: [],
    planet: { number: 2, name: 'Low "Tide"\n' },
    price: 9,
    ok: false,
    none: 'x',
    n: -1,
  };
  await sql(
    `INSERT INTO audit (administrator, subject, subject_id, action, before, after) VALUES ($1, 'STRAIN', uuid_v7(), 'CHANGE', $2, $3)`,
    [stranger.walletAddress, before, after],
  );
  const [entry] = (await list(`administrator=${stranger.walletAddress}`)).entries as [AuditEntry];
  expect([entry.before, entry.after]).toEqual([before, after]);
});

it('filters by administrator, subject and what it was done to, alone and together', async () => {
  const wallet = holder.walletAddress;
  const strain = await insertEntry(wallet, 'STRAIN', 1);
  const planet = await insertEntry(wallet, 'PLANET', 2);
  const client = await insertEntry(wallet, 'CLIENT', 3);
  const order = await insertEntry(wallet, 'ORDER', 4);
  const all = [order, client, planet, strain];
  expect(idsOf(await list(`administrator=${wallet}`))).toEqual(all);
  expect(idsOf(await list(`administrator=${getAddress(wallet)}`))).toEqual(all);
  for (const [subject, id] of [
    ['STRAIN', strain],
    ['PLANET', planet],
    ['CLIENT', client],
    ['ORDER', order],
  ]) {
    expect(idsOf(await list(`administrator=${wallet}&subject=${subject}`))).toEqual([id]);
  }
  const { entries } = await list(`administrator=${wallet}&subject=ORDER`);
  const subjectId = entries[0]?.subjectId;
  expect(idsOf(await list(`subjectId=${subjectId}`))).toEqual([order]);
  expect(idsOf(await list(`subjectId=${subjectId?.toUpperCase()}`))).toEqual([order]);
  expect(idsOf(await list(`subjectId=${subjectId}&subject=STRAIN`))).toEqual([]);
  expect(idsOf(await list(`subjectId=${subjectId}&administrator=${admin.walletAddress}`))).toEqual([]);
  expect((await list(`subjectId=${unknownId}`)).pageMetaDto).toMatchObject({ itemCount: 0, pageCount: 0 });
});

it('names orders and clients, and a client only until it is archived', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId, { firstName: 'Grace', lastName: 'Named' });
  const invoiceNumber = `KF-NAMED-${holder.tokenId}`;
  const orderId = await insertOrder(sql, holder.tokenId, clientId, { invoiceNumber });
  const nameOf = async (subjectId: string) => (await list(`subjectId=${subjectId}`)).entries[0]?.subjectName;
  const approve = (path: string) => admin.ask('PATCH', path, { body: { adminApproval: 'VERIFIED' } });
  await approve(`/admin/orders/${orderId}`);
  await admin.ask('PATCH', `/admin/clients/${clientId}`, { body: { isActive: false } });
  expect(await nameOf(orderId)).toBe(invoiceNumber);
  expect(await nameOf(clientId)).toBe('Grace Named');
  // With an order, the name itself stays for its invoice.
  expect((await holder.ask('DELETE', `/dapp/clients/${clientId}?erase=true`)).status).toBe(200);
  expect(await nameOf(clientId)).toBeNull();
  expect(await nameOf(orderId)).toBe(invoiceNumber);
});

it('ignores an empty filter', async () => {
  const id = await insertEntry(holder.walletAddress, 'STRAIN', 5);
  expect(idsOf(await list(`administrator=${holder.walletAddress}&subject=`))).toContain(id);
  expect((await list('subject=')).entries).not.toEqual([]);
});

it('pages without gaps or duplicates, also for entries with equal times', async () => {
  const { walletAddress } = (await openStorefront()).holder;
  for (let entry = 0; entry < 11; entry++) await insertEntry(walletAddress, 'STRAIN', Math.floor(entry / 4));
  const query = `administrator=${walletAddress}`;
  const all = await list(`${query}&take=1000`);
  expect(all.pageMetaDto).toMatchObject({ itemCount: 11, pageCount: 1, hasNextPage: false });
  const times = all.entries.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort().reverse());
  const pages = await Promise.all([1, 2, 3].map((page) => list(`${query}&take=4&page=${page}`)));
  expect(pages.flatMap(idsOf)).toEqual(idsOf(all));
  expect(pages.map(({ pageMetaDto }) => pageMetaDto.hasNextPage)).toEqual([true, true, false]);
  expect((await list(`${query}&limit=3`)).entries).toHaveLength(3);
  expect(await list(`${query}&take=4&page=9`)).toEqual({
    entries: [],
    pageMetaDto: {
      page: 9,
      take: 4,
      itemCount: 11,
      totalCount: 11,
      pageCount: 3,
      hasPreviousPage: true,
      hasNextPage: false,
    },
  });
});
