import { randomInt } from 'node:crypto';
import type { StrainFacets, StrainPage } from '@keyfront/protocol';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from './support/random-from.ts';
import { isLongRun } from './support/scale.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const seed = Number(process.env.CATALOGUE_TEST_SEED ?? randomInt(2 ** 31));
const random = randomFrom(seed);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const maybe = <Item>(item: () => Item): Item | undefined => (random(3) === 0 ? item() : undefined);

const words = ['calm', 'Happy', 'sleepy', 'Focus', 'créative', 'pine', 'EARTH'] as const;
const countries = ['PRT', 'DEU', 'ZAF'] as const;
/** Lists as administrators type them: spaces, empty places, repetitions and any case. */
const randomList = () => {
  const chosen = Array.from({ length: random(4) }, () => {
    const word = pick(words);
    return pick([word, word.toUpperCase(), ` ${word.toLowerCase()} `, '']);
  });
  return chosen.join(pick([',', ', ']));
};

const rounds = isLongRun ? 2000 : 50;

let service: TestApp;
let sql: pg.Client;

beforeAll(async () => {
  console.log(`CATALOGUE_TEST_SEED=${seed}`);
  service = await startTestApp();
  sql = new pg.Client({ connectionString: service.ownerUrl });
  await sql.connect();
  await sql.query(`SET search_path = keyfront`);
  await sql.query(`INSERT INTO planets (number, name) VALUES (1, 'Verdane'), (2, 'Low Tide')`);
  await sql.query(
    `INSERT INTO delivery_charges (country_code, currency, delivery_charge, free_from)
     VALUES ('PRT', 'EUR', 4.9, 75), ('ZAF', 'ZAR', 60, NULL)`,
  );
  for (let number = 0; number < 40; number++) {
    const {
      rows: [{ id }],
    } = await sql.query(
      `INSERT INTO strains (planet_id, name, description, type, thc, cbd, flavour, feelings, helps_with, retail_price, currency,
         is_available, created_at)
       SELECT id, $1, $2, $3, $4, $5, $6, $7, $8, $9, 'EUR', $10, $11 FROM planets WHERE number = $12 RETURNING id`,
      [
        `${pick(['Amber', 'Basalt', 'cedar', 'Élan'])} ${number}`,
        pick(['', 'A 50% pine blend', 'calm_evenings']),
        pick(['INDICA', 'SATIVA', 'HYBRID']),
        random(300) / 10,
        random(50) / 10,
        randomList(),
        randomList(),
        randomList(),
        random(5000) / 100,
        random(5) > 0,
        new Date(Date.UTC(2026, random(12), 1 + random(28))),
        1 + random(2),
      ],
    );
    for (const country of countries.filter(() => random(3) > 0)) {
      const price = maybe(() => random(90_000) / 100);
      await sql.query(
        `INSERT INTO strain_locations (strain_id, country_code, is_active, stock_quantity, retail_price, currency)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          id,
          country,
          random(4) > 0,
          random(3) * 5,
          price,
          price === undefined ? null : country === 'ZAF' ? 'ZAR' : 'EUR',
        ],
      );
    }
  }
});
afterAll(async () => {
  await sql.end();
  await service.close();
});

/** The filters of a request, as the query has them. */
type Filters = Record<string, string | undefined>;

function randomFilters(): Filters {
  const countryCode = random(2) === 0 ? pick(countries) : undefined;
  const words3 = () => Array.from({ length: 1 + random(3) }, () => pick(words)).join(',');
  return {
    countryCode,
    search: maybe(() => pick(['amber', 'PINE', '50%', 'calm_', 'élan', 'nothing'])),
    planet: maybe(() => pick(['1', '2', 'verdane', 'LOW TIDE', '9'])),
    type: maybe(() => pick(['INDICA', 'SATIVA,HYBRID', 'HYBRID,HYBRID'])),
    feelings: maybe(words3),
    helpsWith: maybe(words3),
    flavour: maybe(words3),
    thcMin: maybe(() => String(random(300) / 10)),
    thcMax: maybe(() => String(random(300) / 10)),
    cbdMin: maybe(() => String(random(50) / 10)),
    cbdMax: maybe(() => String(random(50) / 10)),
    priceMin: countryCode && maybe(() => String(random(5000) / 100)),
    priceMax: countryCode && maybe(() => String(random(90_000) / 100)),
    isAvailable: maybe(() => pick(['true', 'false'])),
  };
}

const offers = `(
  SELECT strains.*, planets.number AS planet_number, lower(planets.name) AS planet_name,
    coalesce(location.retail_price, strains.retail_price) AS price,
    coalesce(location.is_active, false) AS is_sold,
    strains.is_available AND CASE WHEN $1::text IS NULL
      THEN EXISTS (SELECT FROM strain_locations WHERE strain_id = strains.id AND is_active AND stock_quantity > 0)
      ELSE coalesce(location.is_active AND location.stock_quantity > 0, false) END AS can_be_ordered
  FROM strains JOIN planets ON planets.id = strains.planet_id
  LEFT JOIN strain_locations AS location ON location.strain_id = strains.id AND location.country_code = $1
) AS offer`;
const listed = (column: string) =>
  `(SELECT array_agg(lower(btrim(item))) FROM unnest(string_to_array(${column}, ',')) AS item WHERE btrim(item) <> '')`;

/** The condition of each filter in SQL, with the filter as its parameter. */
const conditions: Readonly<Record<string, (parameter: string) => string>> = {
  search: (p) => `(strpos(lower(name), lower(${p})) > 0 OR strpos(lower(description), lower(${p})) > 0)`,
  planet: (p) => `(planet_number::text = ${p} OR planet_name = lower(${p}))`,
  type: (p) => `type = ANY (string_to_array(${p}, ','))`,
  feelings: (p) => `${listed('feelings')} && string_to_array(lower(${p}), ',')`,
  helpsWith: (p) => `${listed('helps_with')} && string_to_array(lower(${p}), ',')`,
  flavour: (p) => `${listed('flavour')} && string_to_array(lower(${p}), ',')`,
  thcMin: (p) => `thc >= ${p}::numeric`,
  thcMax: (p) => `thc <= ${p}::numeric`,
  cbdMin: (p) => `cbd >= ${p}::numeric`,
  cbdMax: (p) => `cbd <= ${p}::numeric`,
  priceMin: (p) => `price >= ${p}::numeric`,
  priceMax: (p) => `price <= ${p}::numeric`,
  isAvailable: (p) => `can_be_ordered::text = ${p}`,
};

/** Runs a query over the strains that the filters leave, without those of one facet. */
async function query<Row extends pg.QueryResultRow>(
  filters: Filters,
  without: readonly string[],
  select: string,
  tail = '',
): Promise<Row[]> {
  const values: unknown[] = [filters.countryCode ?? null];
  const where = ['($1::text IS NULL OR is_sold)'];
  for (const [name, condition] of Object.entries(conditions)) {
    if (filters[name] === undefined || without.includes(name)) continue;
    values.push(filters[name]);
    where.push(condition(`$${values.length}::text`));
  }
  const { rows } = await sql.query<Row>(
    `SELECT ${select} FROM ${offers} WHERE ${where.join(' AND ')} ${tail}`,
    values,
  );
  return rows;
}

/** Counts the strains of each value that the other filters leave, in lower case. */
async function countValues(filters: Filters, facet: string, column: string): Promise<Record<string, number>> {
  const rows = await query<{ values: string[] | null }>(filters, [facet], `${listed(column)} AS values`);
  const counts: Record<string, number> = {};
  for (const { values } of rows) {
    for (const value of new Set(values)) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

async function readRange(filters: Filters, name: 'thc' | 'price'): Promise<StrainFacets['thc']> {
  const [range] = await query<StrainFacets['thc']>(
    filters,
    [`${name}Min`, `${name}Max`],
    `min(${name})::float8 AS min, max(${name})::float8 AS max`,
  );
  return range ?? { min: null, max: null };
}

const sortColumns = { name: 'name', retailPrice: 'price', thc: 'thc', cbd: 'cbd', createdAt: 'created_at' };

async function list(parameters: Filters): Promise<StrainPage> {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const response = await fetch(`${service.origin}/api/v1/dapp/strains?${new URLSearchParams(given)}`);
  const { data, message } = (await response.json()) as { data: StrainPage; message: string };
  expect(response.status, message).toBe(200);
  return data;
}

it(`filters, sorts and counts ${rounds} random combinations as PostgreSQL does`, {
  timeout: 600_000,
}, async () => {
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const filters = randomFilters();
    const field = pick(Object.keys(sortColumns) as (keyof typeof sortColumns)[]);
    const direction = pick(['asc', 'desc'] as const);
    const orderBy = direction === 'asc' && random(2) === 0 ? field : `${field}:${direction}`;
    const take = 1 + random(20);
    const page = 1 + random(2);
    const { strains, pageMetaDto, facets } = await list({
      ...filters,
      orderBy,
      facets: 'true',
      take: String(take),
      page: String(page),
    });

    const ids = await query<{ id: string }>(
      filters,
      [],
      'id',
      `ORDER BY ${sortColumns[field]} ${direction}, name, id`,
    );
    const context = JSON.stringify({ ...filters, orderBy, take, page });
    expect(
      strains.map(({ id }) => id),
      context,
    ).toEqual(ids.slice((page - 1) * take, page * take).map(({ id }) => id));
    expect(pageMetaDto.itemCount, context).toBe(ids.length);
    found += ids.length;

    const counts = (values: StrainFacets['type'] = []) =>
      Object.fromEntries(values.map(({ value, count }) => [value.toLowerCase(), count]));
    expect(
      {
        type: counts(facets?.type),
        feelings: counts(facets?.feelings),
        helpsWith: counts(facets?.helpsWith),
        flavour: counts(facets?.flavour),
        thc: facets?.thc,
        price: facets?.price,
      },
      context,
    ).toEqual({
      type: await countValues(filters, 'type', 'type'),
      feelings: await countValues(filters, 'feelings', 'feelings'),
      helpsWith: await countValues(filters, 'helpsWith', 'helps_with'),
      flavour: await countValues(filters, 'flavour', 'flavour'),
      thc: await readRange(filters, 'thc'),
      price: await readRange(filters, 'price'),
    });
    for (const values of [facets?.type, facets?.feelings, facets?.helpsWith, facets?.flavour]) {
      const sizes = (values ?? []).map(({ count }) => count);
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    }
  }
  expect(found).toBeGreaterThan(0);
});

it('shows one country if one is requested, with what its delivery costs', async () => {
  const { strains } = await list({ countryCode: 'PRT', take: '100' });
  expect(strains.length).toBeGreaterThan(0);
  for (const { strainLocations, isAvailable, isActive } of strains) {
    expect(strainLocations.map(({ location }) => location)).toEqual([
      {
        country: 'Portugal',
        countryCode: 'PRT',
        currency: 'EUR',
        deliveryCharge: 4.9,
        freeDeliveryAbove: 75,
      },
    ]);
    const [here] = strainLocations;
    expect(isAvailable).toBe(isActive && here?.isActive === true && here.stockQuantity > 0);
  }
});

it.each([
  ['priceMin=1', 'priceMin requires countryCode, because prices differ by country'],
  ['type=PURPLE', 'type must be INDICA, SATIVA or HYBRID, or several of them separated by commas'],
  ['thcMin=1e1', 'thcMin must be a number'],
  ['thcMax=101', 'thcMax must not be greater than 100'],
  ['orderBy=stock', 'orderBy must be one of the following values'],
  ['facets=yes', 'facets must be one of the following values: true, false'],
])('refuses %s', async (parameters, issue) => {
  const response = await fetch(`${service.origin}/api/v1/dapp/strains?${parameters}`);
  const { data } = (await response.json()) as { data: string[] };
  expect([response.status, data]).toEqual([400, [expect.stringContaining(issue)]]);
});
