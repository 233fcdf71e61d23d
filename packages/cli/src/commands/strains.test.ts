import { catalogue } from '@keyfront/sdk/operations';
import { expect, it } from 'vitest';
import { createHarness, failure, type SentRequest, success } from '../../test/cli-harness.ts';

const strain = {
  id: '019a8f3e-7c00-7000-8000-000000000301',
  name: 'Lunar Saffron',
  type: 'INDICA',
  thc: 18.5,
  retailPrice: 12.5,
  currency: 'EUR',
  stockQuantity: 7,
  planet: { number: 7, name: 'Verdane' },
};
const facets = {
  type: [
    { value: 'INDICA', count: 2 },
    { value: 'HYBRID', count: 1 },
  ],
  feelings: [],
  helpsWith: [{ value: 'sleep', count: 3 }],
  flavour: [],
  thc: { min: 10, max: 24 },
  price: { min: null, max: null },
};
const respond = ({ target }: SentRequest) =>
  success({
    strains: [strain],
    pageMetaDto: { page: 1, pageCount: 1, hasNextPage: false },
    ...(target.includes('facets=true') && { facets }),
  });
const queryOf = ({ target }: SentRequest) =>
  Object.fromEntries(new URL(target, 'http://keyfront.test').searchParams);

it('prints a table', async () => {
  const { stdout } = await createHarness({ respond }).run('strains', 'list');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'NAME', 'TYPE', 'THC', 'PRICE', 'STOCK', 'PLANET'],
    [strain.id, 'Lunar Saffron', 'INDICA', '18.5 %', '12.50 EUR', '7', 'Verdane'],
    [''],
  ]);
});

it('has an option for each filter of the operation', async () => {
  const harness = createHarness({ respond });
  const filters: Record<string, string> = {
    search: 'saffron',
    countryCode: 'PRT',
    planet: '7',
    type: 'INDICA,HYBRID',
    feelings: 'calm,happy',
    helpsWith: 'sleep',
    flavour: 'pine',
    thcMin: '10',
    thcMax: '24.5',
    cbdMin: '0',
    cbdMax: '2',
    priceMin: '5',
    priceMax: '50',
    isAvailable: 'false',
    orderBy: 'retailPrice:desc',
    facets: 'true',
  };
  const aliases = ['page', 'take', 'limit', 'country'];
  expect(Object.keys(catalogue.listStrains.query).toSorted()).toEqual(
    [...Object.keys(filters), ...aliases].toSorted(),
  );
  const options = Object.entries(filters).flatMap(([name, value]) => [
    `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ]);
  const { code, stderr } = await harness.run('strains', 'list', '--limit', '5', ...options);
  expect([code, stderr]).toEqual([0, '']);
  expect(queryOf(harness.requests[0] as SentRequest)).toEqual({ ...filters, take: '6' });
});

it('needs no value for yes', async () => {
  const harness = createHarness({ respond });
  await harness.run('strains', 'list', '--is-available', '--search', 'x');
  expect(queryOf(harness.requests[0] as SentRequest)).toMatchObject({ isAvailable: 'true', search: 'x' });
});

it('prints what is left to choose with --facets', async () => {
  const { stdout } = await createHarness({ respond }).run('strains', 'list', '--facets');
  const [, counted = ''] = stdout.split('\n\n');
  expect(counted.trimEnd().split('\n')).toEqual([
    'FACET      STRAINS',
    'type       INDICA 2, HYBRID 1',
    'feelings   -',
    'helpsWith  sleep 3',
    'flavour    -',
    'thc        10 to 24',
    'price      -',
  ]);
  const json = await createHarness({ respond }).run('strains', 'list', '--facets', '--json');
  expect(JSON.parse(json.stdout)).toEqual({ strains: [strain], facets });
});

it('names the option that the service rejects', async () => {
  const data = ['priceMax needs countryCode'];
  const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data }) });
  expect(await harness.run('strains', 'list', '--price-max', '5')).toMatchObject({
    code: 4,
    stderr: 'error: --price-max needs --country-code\n',
  });
});
