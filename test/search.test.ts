import { findPlannerSettings, type Statement } from '@keyfront/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { isLongRun } from './support/scale.ts';
import { dataOf, openCallers, startStorefrontService } from './support/storefront.ts';
import { insertStrain } from './support/storefront-data.ts';

const storefront = await startStorefrontService((url) => new ChangeFeed({ url }));
const { holder, stranger, admin, sql } = await openCallers(storefront);

/** Names, e-mail addresses and invoice numbers that a search could get wrong. */
const people = [
  ['Ada', 'Lovelace', 'ada@example.org'],
  ['ADA', "O'Brien", 'Ada.OBrien@Example.ORG'],
  ['100%', 'Percent', 'percent%sign@example.org'],
  ['Under_score', 'Under-score', 'under_score@example.org'],
  ['Back\\slash', '\\', 'back@example.org'],
  ['Élodie', 'Ünsal', 'élodie@example.org'],
  ['Йосиф', 'Бродский', 'joseph@example.org'],
  ['山田', '太郎', 'yamada@example.org'],
  ['İpek', 'Straße', 'ipek@example.org'],
  ['a', 'b', 'a@b.example'],
  ['A da', 'Love lace', 'x--y@example.org'],
  ['Zoë 🌱', 'Green', 'zoe+🌱abcd@example.org'],
] as const;
const invoices = (index: number, isHolder: boolean) => [
  // The service makes all numbers of this length.
  `KF-7Q2M9XH${isHolder ? 4 : 5}T${index.toString(32).toUpperCase()}`,
  ...[`kf_${index}%`, `${index}\\${'ÄÖ'.repeat(2)}-${index}`].map((text) => (isHolder ? text : ` ${text}`)),
];
const terms = [
  ...[
    'a',
    'ad',
    'ada',
    'ADA',
    'da lo',
    'a da',
    'ada.',
    'lovelace',
    'LOVE',
    "o'b",
    '%',
    '100%',
    '%s',
    'under_',
    '_',
    '\\',
  ],
  ...[
    '\\\\',
    'k\\s',
    'élo',
    'ÉLO',
    'ünsal',
    'ÜNSAL',
    'йос',
    'ЙОСИФ',
    '山田',
    '山田 太',
    'straße',
    'STRASSE',
    'i̇pek',
    'ipek',
  ],
  ...[
    '@example.org',
    'EXAMPLE',
    'ADA@example.org',
    'da@EXA',
    'brien@example.or',
    'score@example.net',
    '%sign@e',
    'a@b.',
    'ada@b@c',
    '--y@example',
    'a@b@ada@example.org',
    'oe+🌱abcd@example',
    '🌱abcd@',
    '---',
    '--y',
    '7q2m',
    'kf-7Q2M9XH4T1',
    'kf_1%',
    '\\äö',
    'öäö-',
    '🌱',
    'ë 🌱',
    'nobody here',
    '   ',
  ],
];

/** So many rows that PostgreSQL searches by the index. None of the terms matches them. */
async function fillStore(tokenId: number): Promise<void> {
  await sql(
    `SELECT set_config('keyfront.is_seeding', 'on', true);
     INSERT INTO clients (token_id, first_name, last_name, email, contact_number)
     SELECT ${tokenId}, 'Xxx', 'X' || n, 'x' || n || '@x.xx', '9' || n FROM generate_series(1, 6000) AS n;
     INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
     SELECT token_id, id, 'X' || n || '-' || email, 1, 1, 'EUR'
     FROM clients, generate_series(1, 4) AS n WHERE token_id = ${tokenId} AND first_name = 'Xxx'`,
  );
}

beforeAll(async () => {
  await insertStrain(sql);
  await fillStore(holder.tokenId);
  for (const { tokenId } of [holder, stranger]) {
    await sql(
      `INSERT INTO clients (token_id, first_name, last_name, email)
       SELECT $1, person->>0, person->>1, person->>2 FROM jsonb_array_elements($2) AS person`,
      [tokenId, JSON.stringify(people)],
    );
    await sql(
      `INSERT INTO orders (token_id, client_id, invoice_number, total_amount, total_quantity, currency)
       SELECT token_id, id, ($2::text[])[row_number][n], 1, 1, 'EUR'
       FROM (
         SELECT *, row_number() OVER (ORDER BY email)::int FROM clients WHERE token_id = $1 AND first_name <> 'Xxx'
       ) AS clients,
         generate_series(1, 3) AS n`,
      [tokenId, people.map((_, index) => invoices(index, tokenId === holder.tokenId))],
    );
    await sql(
      `WITH cart AS (INSERT INTO carts (token_id, client_id) SELECT $1::bigint, id FROM clients WHERE token_id = $1::bigint AND first_name <> 'Xxx' RETURNING id)
       INSERT INTO cart_items (cart_id, token_id, strain_id, quantity) SELECT cart.id, $1::bigint, strains.id, 1
       FROM cart, strains`,
      [tokenId],
    );
  }
  await sql('ANALYZE orders, clients');
});

const byName = `first_name || ' ' || last_name ILIKE $2`;
const byEmail = 'email ILIKE $2';
const byInvoice = 'invoice_number ILIKE $2';
const pattern = (term: string) => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The ids that match without any index, of one digital key or of all. */
async function findPlainly(
  tokenId: number | null,
  table: string,
  condition: string,
  term: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT ${table}.id FROM ${table} ${table === 'orders' ? 'JOIN clients ON clients.id = client_id' : ''}
     WHERE ($1::bigint IS NULL OR ${table}.token_id = $1) AND (${condition})
       -- Nothing of the filling matches.
       AND clients.first_name <> 'Xxx'`,
    [tokenId, pattern(term)],
  );
  return rows.map(({ id }) => id).sort();
}

interface Found {
  readonly orders?: { readonly id: string }[];
  readonly clients?: { readonly id: string }[];
  readonly pageMetaDto: { readonly itemCount: number };
}

/** fetch encodes an apostrophe, which encodeURIComponent leaves as it is. The query must be sent as it was signed. */
const encodeText = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');

async function findByApi(caller: Pick<typeof holder, 'ask'>, path: string, term: string): Promise<string[]> {
  const found = dataOf<Found>(await caller.ask('GET', `${path}&take=1000&search=${encodeText(term)}`));
  const ids = (found.orders ?? found.clients ?? []).map(({ id }) => id).sort();
  expect(found.pageMetaDto.itemCount).toBe(ids.length);
  return ids;
}

describe('a search', () => {
  // Those like e-mail addresses and a third of the others in `npm test`, and all of them in `npm run test:long`.
  const searched = terms.filter((term, index) => isLongRun || term.includes('@') || index % 3 === 0);

  it.each(searched)('for %j finds exactly what matches without an index', async (term) => {
    const everything = `${byName} OR ${byEmail} OR ${byInvoice}`;
    const { tokenId } = holder;
    expect(await findByApi(holder, '/dapp/orders?page=1', term)).toEqual(
      await findPlainly(tokenId, 'orders', everything, term),
    );
    for (const [field, condition] of Object.entries({
      clientName: byName,
      email: byEmail,
      invoiceNumber: byInvoice,
    })) {
      expect(await findByApi(holder, `/dapp/orders?searchBy=${field}`, term)).toEqual(
        await findPlainly(tokenId, 'orders', condition, term),
      );
    }
    expect(await findByApi(admin, '/admin/orders?page=1', term)).toEqual(
      await findPlainly(null, 'orders', everything, term),
    );
    const clients = await findPlainly(tokenId, 'clients', `${byName} OR ${byEmail}`, term);
    expect(await findByApi(holder, '/dapp/clients?page=1', term)).toEqual(clients);
    expect(await findByApi(holder, '/dapp/carts?page=1', term)).toEqual(clients);
    expect(await findByApi(admin, `/admin/clients?tokenId=${tokenId}`, term)).toEqual(clients);
    expect(await findByApi(admin, '/admin/clients?page=1', term)).toEqual(
      await findPlainly(null, 'clients', `${byName} OR ${byEmail}`, term),
    );
  });
});

describe('the plan of a search or a list', { tags: ['long'] }, () => {
  const statements: { readonly statement: Statement<unknown>; readonly values: unknown[] }[] = [];
  const original = pg.Client.prototype.query;

  beforeAll(async () => {
    pg.Client.prototype.query = new Proxy(original, {
      apply(query, client, args) {
        const state = args[0]?.state;
        if (state?.statement) statements.push(state);
        return Reflect.apply(query, client, args);
      },
    });
  });
  afterAll(() => {
    pg.Client.prototype.query = original;
  });

  /** The plans of the statements that a request executes on orders and clients. */
  async function explain(
    caller: Pick<typeof holder, 'ask'>,
    path: string,
    { isExecuted = false } = {},
  ): Promise<string[]> {
    statements.length = 0;
    dataOf<Found>(await caller.ask('GET', path));
    const client = await storefront.owner.connect();
    try {
      const plans: string[] = [];
      for (const { statement, values } of statements.filter(({ statement: { text } }) =>
        /\b(orders|clients)\b/.test(text),
      )) {
        await client.query('BEGIN');
        const isSearch = statement.text.includes('AS found)');
        await client.query(
          `SET LOCAL ROLE keyfront_${isSearch || caller === admin ? 'platform' : 'service'}`,
        );
        await client.query(`SELECT set_config('keyfront.token_id', $1, true)`, [String(holder.tokenId)]);
        for (const setting of findPlannerSettings(statement)) await client.query(setting.text);
        // Prepared, because EXPLAIN of a statement itself always knows its values.
        await client.query(`PREPARE explained AS ${statement.text}`);
        const { rows } = await client.query(
          `EXPLAIN (ANALYZE ${isExecuted}) EXECUTE explained${writeArguments(values)}`,
        );
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        await client.query('ROLLBACK; DEALLOCATE explained');
      }
      return plans;
    } finally {
      client.release();
    }
  }

  const writeText = (value: unknown): string => {
    if (Array.isArray(value)) return `{${value.map(String).join(',')}}`;
    return value instanceof Date ? value.toISOString() : String(value);
  };
  function writeArguments(values: readonly unknown[]): string {
    if (values.length === 0) return '';
    const literals = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(writeText(value))));
    return `(${literals.join(', ')})`;
  }

  // An index of all orders by date looks as good for a holder who has nearly all of them, but a page would then also read what others
  // have placed since.
  it.each([
    ['/dapp/orders?page=1', 'orders_by_creation'],
    ['/dapp/clients?page=1', 'clients_by_creation'],
  ])('for a page of %s reads the rows of the digital key only', async (path, index) => {
    const plans = (await explain(holder, path)).join('\n');
    expect(plans).toMatch(new RegExp(`using ${index} on`));
    expect(plans).not.toContain('_everywhere');
  });

  it.each([
    '/dapp/orders?status=DELIVERED',
    '/dapp/orders?status=DELIVERED&orderBy=asc',
    '/dapp/clients?status=INACTIVE',
  ])('for a page of %s, which matches nothing, does not read all rows', async (path) => {
    const plans = (await explain(holder, path, { isExecuted: true })).join('\n');
    expect(plans).toMatch(/Scan.* on (orders|clients)/);
    // Some changes of counters are not compacted yet.
    const removed = [...plans.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(0, ...removed)).toBeLessThan(100);
  });

  it.each([
    ['an invoice number', '/dapp/orders?search=x3-x5555&searchBy=invoiceNumber', 'orders_by_text'],
    ['a client name', '/dapp/orders?search=xxx+x5555&searchBy=clientName', 'clients_by_text'],
    ['an e-mail address', '/dapp/orders?search=x5555@&searchBy=email', 'clients_by_text'],
    ['any field', '/dapp/orders?search=x5555@', 'orders_by_text'],
    ['a client', '/dapp/clients?search=x5555@', 'clients_by_text'],
    ['a client by name', '/dapp/clients?search=xxx+x5555&searchBy=clientName', 'clients_by_text'],
    ['a client by phone', '/dapp/clients?search=95555&searchBy=contactNumber', 'clients_by_contact_number'],
  ])('for %s reads by an index', async (_what, path, index) => {
    const [search = '', ...pages] = await explain(holder, path);
    expect(search).toContain(`Bitmap Index Scan on ${index}`);
    // The text first: for an owner of nearly all rows, to look for the digital key in the index takes longer than all the rest.
    expect(search).toMatch(
      /Index Cond: \(\(+[^=]*~~\* (?:\$\d|'[^']+'::text)\) AND \(\(token_id\)::bigint = /,
    );
    for (const plan of [search, ...pages]) expect(plan).not.toMatch(/Seq Scan on (orders|clients)/);
    // The matches are known. No page may look for them among all rows of the digital key.
    for (const plan of pages) expect(plan).not.toMatch(/(orders|clients)_by_(creation|update|amount)/);
  });

  it('of all digital keys reads by an index', async () => {
    for (const path of ['/admin/orders?search=x5555@', '/admin/clients?search=x5555@']) {
      const [search = '', ...pages] = await explain(admin, path);
      expect(search).toContain('Bitmap Index Scan on clients_by_text');
      for (const plan of [search, ...pages]) expect(plan).not.toMatch(/Seq Scan on (orders|clients)/);
    }
  });

  it('uses the index, however many matches PostgreSQL supposes', async () => {
    for (const path of ['/dapp/orders?search=x3-x5555', '/dapp/clients?search=x5555@']) {
      await explain(holder, path);
      const searches = statements.filter(({ statement: { text } }) => text.includes('AS found)'));
      expect(searches.map(({ statement }) => statement.bitmapScansOnly)).toEqual([true]);
    }
  });

  it('counts all matches, also where there are too many to look up', async () => {
    for (const [term, itemCount] of [
      ['X2-', 6_000],
      ['@x.x', 24_000],
      ['x2-x1', 1_111],
    ] as const) {
      const reply = await holder.ask('GET', `/dapp/orders?take=1&search=${term}`);
      expect([term, dataOf<Found>(reply).pageMetaDto.itemCount]).toEqual([term, itemCount]);
    }
  });
});
