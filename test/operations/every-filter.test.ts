import {
  type AdminClient,
  type AdminOrder,
  type AuditEntry,
  type CartPage,
  type NftListing,
  type NftSale,
  type Operation,
  operationList,
  type Sale,
  type Strain,
  type Transaction,
} from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { draftSale, listSale } from '../support/nft-sales.ts';
import { insertOrder } from '../support/order-data.ts';
import { dataOf, openStorefront, type TestCaller } from '../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../support/storefront-data.ts';

/**
 * Every filter of every list of the operation table: the rows that it selects are those that a plain condition selects from the
 * list without it, and a value that it does not understand is a 400. A new filter needs an entry here.
 */

const storefront = await openStorefront();
const { holder, sibling, admin, addDigitalKey, sql } = storefront;
const { tokenId } = holder;

type Query = Readonly<Record<string, string>>;
type Case<Row> = readonly [query: Query, selects: (row: Row) => boolean];

interface List<Row> {
  readonly caller: TestCaller;
  readonly path: string;
  /** Selects the rows of this test from a list that all tests share. */
  readonly base?: Query;
  /** By filter. The query of a case may have more than one. */
  readonly filters: Readonly<Record<string, readonly Case<Row>[]>>;
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`;
/** One case for each value of a filter. */
const each = <Row>(
  name: string,
  values: readonly string[],
  selects: (row: Row, value: string) => boolean,
): Case<Row>[] => values.map((value) => [{ [name]: value }, (row) => selects(row, value)]);

// Clients, each with a cart, orders and sales.

const people = [
  { firstName: 'Ada', lastName: 'Lovelace', adminApproval: 'VERIFIED', isKycVerified: true, isActive: true },
  { firstName: 'Bea', lastName: 'Adair', adminApproval: 'PENDING', isKycVerified: true, isActive: false },
  {
    firstName: '100%',
    lastName: 'Under_score',
    adminApproval: 'REJECTED',
    isKycVerified: false,
    isActive: true,
  },
];
const clientIds: string[] = [];
for (const [at, person] of people.entries()) {
  const { id } = await insertClient(sql, tokenId, { ...person, email: `person${at}-${tokenId}@example.org` });
  await sql('UPDATE clients SET contact_number = $2 WHERE id = $1', [id, `0351 ${at}00`]);
  clientIds.push(id);
}
await insertClient(sql, sibling.tokenId, { firstName: 'Ada', email: `person9-${tokenId}@example.org` });
const [ada = '', bea = ''] = clientIds;

const strains = [
  await insertStrain(sql, { name: `Filtered Rose ${tokenId}`, countryCodes: ['PRT', 'ZAF'] }),
  await insertStrain(sql, { name: `Filtered Pine ${tokenId}`, countryCodes: ['ZAF'] }),
  await insertStrain(sql, { name: `Filtered Moss ${tokenId}`, countryCodes: ['DEU'] }),
];
const number = 1_000 * tokenId;
dataOf(await admin.ask('POST', '/admin/planets', { body: { number, name: `Filtered planet ${number}` } }));
const planets = await sql<{ id: string; number: number; name: string }>(
  'SELECT id, number, name FROM planets WHERE number IN (1, $1) ORDER BY number',
  [number],
);
await sql('UPDATE strains SET planet_id = $2 WHERE id = $1', [strains[1]?.id, planets[1]?.id]);
await sql(`UPDATE strains SET description = 'Smells of roses' WHERE id = $1`, [strains[2]?.id]);
await sql(
  `UPDATE strains SET type = 'INDICA', feelings = 'calm, Happy', helps_with = 'Sleep', flavour = 'pine', thc = 18.5, cbd = 2,
     retail_price = 11 WHERE id = $1`,
  [strains[0]?.id],
);
await sql('UPDATE strain_locations SET stock_quantity = 0 WHERE strain_id = $1', [strains[1]?.id]);

for (const clientId of [ada, bea]) {
  await insertCart(sql, tokenId, clientId, [{ strainId: strains[0]?.id ?? '', quantity: 1 }]);
}

const orderIds: string[] = [];
for (const [at, [orderStatus, paymentStatus, adminApproval]] of (
  [
    ['PENDING', 'PENDING', 'PENDING'],
    ['SHIPPED', 'PAID', 'VERIFIED'],
    ['DELIVERED', 'PAID', 'VERIFIED'],
    ['CANCELLED', 'FAILED', 'REJECTED'],
  ] as const
).entries()) {
  orderIds.push(
    await insertOrder(sql, tokenId, clientIds[at % 3] ?? '', {
      orderStatus,
      paymentStatus,
      adminApproval,
      invoiceNumber: `FILTER-${tokenId}-${'AB'[at % 2]}${at}`,
      createdAt: `2026-03-0${at + 1}T12:00:00.000Z`,
    }),
  );
}
await sql(`UPDATE clients SET external_reference = 'crm-1' WHERE id = ANY ($1)`, [[ada, bea]]);
await sql(`UPDATE orders SET external_reference = 'filter-1' WHERE id = $1`, [orderIds[1]]);
await sql(`UPDATE orders SET payment_status = 'PAID', paid_amount = total_amount WHERE id = $1`, [
  orderIds[3],
]);
for (const [at, clientId] of clientIds.entries()) {
  const { id } = dataOf<Sale>(await holder.ask('POST', '/dapp/sales', { body: { clientId } }));
  const stage = ['LEADS', 'ONGOING', 'CLOSED'][at];
  await sql('UPDATE sales SET stage = $2, order_id = $3 WHERE id = $1', [id, stage, orderIds[at]]);
}

// The marketplace. A wallet has several digital keys, and each one sale that is open.

const sellers = [await addDigitalKey(), await addDigitalKey(), await addDigitalKey()] as const;
await listSale(sellers[0], sql, '0.5');
await listSale(sellers[1], sql, '1.000000000000000001');
await draftSale(sellers[2], sql, '2');
await listSale(sellers[2], sql, '2');
await sql('UPDATE digital_keys SET planet_id = $2 WHERE token_id = $1', [sellers[1].tokenId, planets[1]?.id]);
await sql(
  `INSERT INTO transactions (type, token_id, to_address, origin, chain_id, tx_hash, log_index, block_number, occurred_at)
   VALUES ('MINT', $1, $2, 'CHAIN', 1, $3, 0, 1, now())`,
  [tokenId, holder.walletAddress, `0x${String(tokenId).padStart(64, 'f')}`],
);

const auditor = `0x${String(tokenId).padStart(40, '0')}`;
for (const subject of ['STRAIN', 'ORDER', 'ORDER']) {
  await sql(
    `INSERT INTO audit (administrator, subject, subject_id, action, before, after)
     VALUES ($1, $2, uuid_v7(), 'CHANGE', '{}', '{}')`,
    [auditor, subject],
  );
}
const [audited] = await sql<{ id: string }>(
  'SELECT subject_id AS id FROM audit WHERE administrator = $1 ORDER BY id LIMIT 1',
  [auditor],
);

// The table.

const approvals = ['PENDING', 'VERIFIED', 'REJECTED'];
const yesOrNo = ['true', 'false'];

const clientFilters: List<AdminClient>['filters'] = {
  search: [
    ...['ada', 'LOVE', 'a Lo', '%', '_', `person1-${tokenId}`, '0351 2'].map(
      (search): Case<AdminClient> => [
        { search },
        (client) =>
          [nameOf(client), client.email, client.contactNumber].some((text) => contains(text, search)),
      ],
    ),
  ],
  searchBy: [
    [{ search: 'ada', searchBy: 'clientName' }, (client) => contains(nameOf(client), 'ada')],
    [{ search: 'person1', searchBy: 'email' }, ({ email }) => contains(email, 'person1')],
    [{ search: '51 1', searchBy: 'contactNumber' }, ({ contactNumber }) => contactNumber.includes('51 1')],
    [{ search: 'ada', searchBy: 'contactNumber' }, () => false],
  ],
  status: each('status', ['ACTIVE', 'INACTIVE'], ({ isActive }, value) => isActive === (value === 'ACTIVE')),
  kyc: each('kyc', yesOrNo, ({ isKYCVerified }, value) => String(isKYCVerified) === value),
  isKYCVerified: each(
    'isKYCVerified',
    yesOrNo,
    ({ isKYCVerified }, value) => String(isKYCVerified) === value,
  ),
  isActive: each('isActive', yesOrNo, ({ isActive }, value) => String(isActive) === value),
  adminApproval: each('adminApproval', approvals, ({ adminApproval }, value) => adminApproval === value),
  email: each(
    'email',
    [`PERSON1-${tokenId}@example.org`, 'nobody@example.org'],
    ({ email }, value) => email.toLowerCase() === value.toLowerCase(),
  ),
  externalReference: each(
    'externalReference',
    ['crm-1', 'unknown'],
    ({ externalReference }, value) => externalReference === value,
  ),
};

const orderFilters: List<AdminOrder>['filters'] = {
  startDate: each(
    'startDate',
    ['2026-03-02', '2026-03-02T12:00:00.001Z'],
    ({ createdAt }, value) => createdAt >= value,
  ),
  endDate: [
    [{ endDate: '2026-03-02' }, ({ createdAt }) => createdAt < '2026-03-03'],
    [{ endDate: '2026-03-02T11:59:59.999Z' }, ({ createdAt }) => createdAt < '2026-03-02T12'],
  ],
  search: each(
    'search',
    ['ada', 'LOVELACE', 'person2', `${tokenId}-b`, '%'],
    ({ client, invoiceNumber }, value) =>
      [nameOf(client), client.email, invoiceNumber].some((text) => contains(text, value)),
  ),
  searchBy: [
    [{ search: 'ada', searchBy: 'clientName' }, ({ client }) => contains(nameOf(client), 'ada')],
    [{ search: 'person1', searchBy: 'email' }, ({ client }) => contains(client.email, 'person1')],
    [{ search: '-A', searchBy: 'invoiceNumber' }, ({ invoiceNumber }) => invoiceNumber.includes('-A')],
    [{ search: 'ada', searchBy: 'invoiceNumber' }, () => false],
  ],
  status: each(
    'status',
    ['PENDING', 'SHIPPED', 'PROCESSING'],
    ({ orderStatus }, value) => orderStatus === value,
  ),
  paymentStatus: [
    ...each<AdminOrder>(
      'paymentStatus',
      ['PAID', 'FAILED', 'REFUNDED'],
      (row, value) => row.paymentStatus === value,
    ),
    [{ paymentStatus: 'COMPLETED' }, ({ paymentStatus }) => paymentStatus === 'PAID'],
  ],
  adminApproval: each('adminApproval', approvals, ({ adminApproval }, value) => adminApproval === value),
};
const clientOfOrder: List<AdminOrder>['filters'] = {
  clientId: each('clientId', clientIds, ({ client }, value) => client.id === value),
  clientIds: [
    [{ clientIds: `${ada},${bea}` }, ({ client }) => [ada, bea].includes(client.id)],
    [{ clientIds: JSON.stringify([bea]) }, ({ client }) => client.id === bea],
  ],
  externalReference: each(
    'externalReference',
    ['filter-1', 'unknown'],
    ({ externalReference }, value) => externalReference === value,
  ),
  refundDue: each('refundDue', ['true', 'false'], ({ refundDue }, value) => String(refundDue > 0) === value),
};
const everyExport = Object.fromEntries(
  ['orderBy', 'startDate', 'endDate', 'search', 'searchBy', 'status', 'paymentStatus', 'adminApproval'].map(
    (name) => [name, ''],
  ),
);

const soldIn = (code: string) => (strain: Strain) =>
  strain.strainLocations.some(({ location }) => location.countryCode === code);
const inPortugal = (fits: (price: number) => boolean) => (strain: Strain) =>
  strain.strainLocations.some(
    ({ location, isActive, retailPrice }) => location.countryCode === 'PRT' && isActive && fits(retailPrice),
  );
const planetCases = <Row extends { readonly planet: { readonly number: number } }>(): Case<Row>[] =>
  planets.flatMap(({ id, number, name }) =>
    [id, String(number), name.toUpperCase()].map(
      (planet): Case<Row> => [{ planet }, (row) => row.planet.number === number],
    ),
  );
/** Compares prices beyond the precision of a double. */
const wei = (price: string) => {
  const [whole = '', decimals = ''] = price.split('.');
  return BigInt(whole + decimals.padEnd(18, '0'));
};

const lists: Readonly<Record<string, List<never>>> = {
  listClients: { caller: holder, path: '/dapp/clients', filters: clientFilters },
  listAdminClients: {
    caller: admin,
    path: '/admin/clients',
    base: { search: `-${tokenId}@example.org` },
    filters: {
      ...Object.fromEntries(
        Object.entries(clientFilters).filter(([name]) => name !== 'search' && name !== 'searchBy'),
      ),
      // The base is a search, so these are compared within the digital key.
      search: [
        [
          { tokenId: String(tokenId), search: 'ada' },
          ({ nft, ...client }) => nft.tokenId === tokenId && contains(nameOf(client), 'ada'),
        ],
      ],
      searchBy: [
        [
          { tokenId: String(tokenId), search: 'ada', searchBy: 'clientName' },
          ({ nft, ...client }) => nft.tokenId === tokenId && contains(nameOf(client), 'ada'),
        ],
      ],
      tokenId: each(
        'tokenId',
        [String(tokenId), String(sibling.tokenId)],
        ({ nft }, value) => nft.tokenId === Number(value),
      ),
    },
  } satisfies List<AdminClient>,
  listCarts: {
    caller: holder,
    path: '/dapp/carts',
    filters: {
      clientId: each('clientId', clientIds, ({ id }, value) => id === value),
      search: each('search', ['ada', 'LOVELACE', 'person1', '%'], (client, value) =>
        [nameOf(client), client.email].some((text) => contains(text, value)),
      ),
    },
  } satisfies List<CartPage['clients'][number]>,
  listOrders: { caller: holder, path: '/dapp/orders', filters: { ...orderFilters, ...clientOfOrder } },
  exportOrders: { caller: holder, path: '/orders/export', base: everyExport, filters: orderFilters },
  listAdminOrders: {
    caller: admin,
    path: '/admin/orders',
    base: { tokenId: String(tokenId) },
    filters: {
      ...orderFilters,
      ...clientOfOrder,
      tokenId: each('tokenId', [String(tokenId)], ({ nft }, value) => nft.tokenId === Number(value)),
    },
  } satisfies List<AdminOrder>,
  listSales: {
    caller: holder,
    path: '/dapp/sales',
    filters: {
      stage: each('stage', ['LEADS', 'ONGOING', 'CLOSED'], ({ stage }, value) => stage === value),
      clientId: each('clientId', clientIds, ({ clientId }, value) => clientId === value),
      orderId: each('orderId', orderIds, ({ orderId }, value) => orderId === value),
    },
  } satisfies List<Sale>,
  listNftSales: {
    caller: sellers[2],
    path: '/marketplace/nfts/sale',
    filters: {
      tokenId: each(
        'tokenId',
        [String(sellers[2].tokenId), String(tokenId)],
        (sale, value) => sale.tokenId === Number(value),
      ),
      seller: each(
        'seller',
        [holder.walletAddress, auditor],
        ({ seller }, value) => seller.toLowerCase() === value,
      ),
      state: each('state', ['DRAFT', 'LISTED', 'CANCELLED', 'SOLD'], ({ state }, value) => state === value),
    },
  } satisfies List<NftSale>,
  listNftListings: {
    caller: holder,
    path: '/marketplace/nfts/listings',
    filters: {
      tokenId: each(
        'tokenId',
        sellers.map((seller) => String(seller.tokenId)),
        (row, value) => row.tokenId === Number(value),
      ),
      planet: planetCases(),
      seller: each(
        'seller',
        [holder.walletAddress, auditor],
        ({ seller }, value) => seller.toLowerCase() === value,
      ),
      minPrice: each(
        'minPrice',
        ['0.5', '1', '1.000000000000000002'],
        ({ price }, value) => wei(price) >= wei(value),
      ),
      maxPrice: each(
        'maxPrice',
        ['0.5', '1', '1.000000000000000001'],
        ({ price }, value) => wei(price) <= wei(value),
      ),
    },
  } satisfies List<NftListing>,
  listTransactions: {
    caller: holder,
    path: '/marketplace/transactions/user',
    filters: { type: each('type', ['MINT', 'LIST', 'SALE'], ({ type }, value) => type === value) },
  } satisfies List<Transaction>,
  listStrains: {
    caller: holder,
    path: '/dapp/strains',
    filters: {
      search: each(
        'search',
        [`pine ${tokenId}`, 'FILTERED', 'of roses', '%'],
        ({ name, description }, value) => [name, description].some((text) => contains(text, value)),
      ),
      countryCode: [
        [{ countryCode: 'ZAF' }, soldIn('ZAF')],
        [{ countryCode: 'pt' }, soldIn('PRT')],
      ],
      country: [
        [{ country: 'deu' }, soldIn('DEU')],
        [{ country: 'ZA' }, soldIn('ZAF')],
      ],
      planet: planetCases(),
      type: [[{ type: 'INDICA,SATIVA' }, ({ type }) => type !== 'HYBRID']],
      feelings: each('feelings', ['calm', 'HAPPY'], (strain, value) => contains(strain.feelings, value)),
      helpsWith: each('helpsWith', ['sleep'], (strain, value) => contains(strain.helpsWith, value)),
      flavour: each('flavour', ['pine'], (strain, value) => contains(strain.flavour, value)),
      thcMin: each('thcMin', ['18', '18.5'], ({ thc }, value) => thc >= Number(value)),
      thcMax: each('thcMax', ['18', '18.5'], ({ thc }, value) => thc <= Number(value)),
      cbdMin: each('cbdMin', ['0.5', '2'], ({ cbd }, value) => cbd >= Number(value)),
      cbdMax: each('cbdMax', ['0.5', '2'], ({ cbd }, value) => cbd <= Number(value)),
      priceMin: [[{ priceMin: '10.5', countryCode: 'PRT' }, inPortugal((price) => price >= 10.5)]],
      priceMax: [[{ priceMax: '10.5', countryCode: 'PRT' }, inPortugal((price) => price <= 10.5)]],
      isAvailable: each(
        'isAvailable',
        ['true', 'false'],
        (strain, value) => String(strain.isAvailable) === value,
      ),
    },
  } satisfies List<Strain>,
  listAudit: {
    caller: admin,
    path: '/admin/audit',
    base: { administrator: auditor },
    filters: {
      subject: each('subject', ['ORDER', 'STRAIN', 'PLANET'], ({ subject }, value) => subject === value),
      subjectId: each('subjectId', [audited?.id ?? ''], ({ subjectId }, value) => subjectId === value),
      administrator: each(
        'administrator',
        [auditor.toUpperCase().replace('0X', '0x')],
        (entry, value) => entry.administrator?.toLowerCase() === value.toLowerCase(),
      ),
    },
  } satisfies List<AuditEntry>,
};

type AnyRow = { readonly id?: string; readonly tokenId?: number };

async function read({ caller, path, base }: List<never>, query: Query = {}): Promise<AnyRow[]> {
  const parameters = new URLSearchParams({ take: '1000', ...base, ...query });
  const data = dataOf<Record<string, AnyRow[]>>(await caller.ask('GET', `${path}?${parameters}`));
  const { pageMetaDto: _meta, ...rows } = data;
  return Object.values(rows)[0] ?? [];
}
/** A strain looks different in another country, but it is the same strain. */
const idOf = ({ id, tokenId: token }: AnyRow) => id ?? token;

const cases = Object.entries(lists).flatMap(([id, list]) =>
  Object.entries(list.filters).flatMap(([filter, all]) =>
    all.map(
      ([query, selects]) => [id, filter, new URLSearchParams(query).toString(), query, selects] as const,
    ),
  ),
);
const unfiltered = new Map<string, Promise<AnyRow[]>>();

it.each(cases)('%s selects by %s: %s', async (id, _filter, _text, query, selects) => {
  const list = lists[id] as List<never>;
  const all = unfiltered.get(id) ?? read(list);
  unfiltered.set(id, all);
  expect((await read(list, query)).map(idOf)).toEqual(
    (await all).filter((row) => selects(row as never)).map(idOf),
  );
});

it.each(Object.keys(lists))(
  '%s has rows that its filters leave out, and rows that they select',
  async (id) => {
    const rows = await (unfiltered.get(id) ?? read(lists[id] as List<never>));
    const conditions = Object.values(lists[id]?.filters ?? {}).flat();
    expect(conditions.some(([, selects]) => rows.some((row) => selects(row as never)))).toBe(true);
    expect(conditions.some(([, selects]) => rows.some((row) => !selects(row as never)))).toBe(true);
  },
);

/** Parameters that select no rows by their content. */
const otherParameters = ['page', 'take', 'limit', 'cursor', 'orderBy', 'facets'];
const listOperations = operationList.filter(
  ({ method, query }) => method === 'GET' && query && Object.hasOwn(query.properties, 'page'),
);

it('is tested for every filter of every list', () => {
  for (const { id, query } of listOperations) {
    const names = Object.keys(query?.properties ?? {}).filter((name) => !otherParameters.includes(name));
    expect([id, Object.keys(lists[id]?.filters ?? {}).sort()]).toEqual([id, names.sort()]);
  }
});

describe('a value that is not understood', () => {
  /** A value that violates the schema; null where every text is valid. */
  function invalidValue(schema: object): string | null {
    const { type, enum: values, format, pattern } = schema as Record<string, unknown>;
    if (values || format || type === 'integer' || type === 'boolean') return '~nonsense~';
    return typeof pattern === 'string' && !new RegExp(pattern).test('~') ? '~' : null;
  }
  const withQuery = operationList.filter(({ method, query }) => method === 'GET' && query);
  const parameters = withQuery.flatMap((operation: Operation) =>
    Object.entries(operation.query?.properties ?? {}).map(
      ([name, schema]) => [operation.id, name, operation, invalidValue(schema)] as const,
    ),
  );
  const path = ({ path, example }: Operation) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example.parameters?.[name]));
  const callerOf = ({ access }: Operation) =>
    access === 'administrator' ? admin : access === 'jwt' ? holder.signedIn : holder;
  const required = ({ query }: Operation) =>
    Object.fromEntries((query?.required ?? []).map((name: string) => [name, '']));

  it.each(parameters.filter(([, , , value]) => value !== null))(
    'of %s is a 400: %s',
    async (_id, name, operation, value) => {
      const query = new URLSearchParams({ ...required(operation), [name]: value ?? '' });
      const { status, envelope } = await callerOf(operation).ask('GET', `${path(operation)}?${query}`);
      expect([status, envelope.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(envelope.data).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    },
  );

  it.each(parameters)('of %s is one that is given twice: %s', async (_id, name, operation) => {
    const query = new URLSearchParams(required(operation));
    query.delete(name);
    const { status, envelope } = await callerOf(operation).ask(
      'GET',
      `${path(operation)}?${name}=1&${name}=1${query.size > 0 ? `&${query}` : ''}`,
    );
    expect([status, envelope.data]).toEqual([400, [`${name} must not be given more than once`]]);
  });
});
