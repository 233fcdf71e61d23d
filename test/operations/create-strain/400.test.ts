import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

const strain = {
  name: `Refused ${holder.tokenId}`,
  type: 'SATIVA',
  thc: 1,
  cbd: 1,
  retailPrice: '1.00',
  currency: 'EUR',
  stockQuantity: 1,
  planet: '1',
};
const price = 'retailPrice must be an amount with at most two decimals, such as 12.50';
const tooExpensive = 'retailPrice must not be greater than 9999999999.99';
const currency = 'currency must be an ISO 4217 currency code';
const type = 'type must be one of the following values: INDICA, SATIVA, HYBRID';

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown): Promise<unknown> {
  const reply = await admin.ask('POST', '/admin/strains', { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

it('reports all missing fields at once', async () => {
  const missing = Object.keys(strain)
    .filter((field) => field !== 'stockQuantity')
    .map((field) => `${field} is required`);
  expect(await listIssues({})).toEqual(missing);
  expect(await listIssues(undefined)).toEqual(missing);
});

it.each([
  ['name', 7, ['name must be a string']],
  ['name', '', ['name should not be empty']],
  ['name', '  ', ['name should not be empty']],
  ['name', 'a'.repeat(101), ['name must be shorter than or equal to 100 characters']],
  ['type', 'indica', [type]],
  ['type', '', [type]],
  ['type', null, [type]],
  ['thc', '18', ['thc must be a number']],
  ['thc', null, ['thc must be a number']],
  ['thc', -0.01, ['thc must not be less than 0']],
  ['thc', 100.01, ['thc must not be greater than 100']],
  ['thc', 18.555, ['thc must have at most two decimals']],
  ['cbd', true, ['cbd must be a number']],
  ['cbd', -1, ['cbd must not be less than 0']],
  ['cbd', 101, ['cbd must not be greater than 100']],
  ['cbd', 0.001, ['cbd must have at most two decimals']],
  ['retailPrice', null, ['retailPrice must be a number or a decimal string']],
  ['retailPrice', [12.5], ['retailPrice must be a number or a decimal string']],
  ['retailPrice', -0.01, ['retailPrice must not be less than 0']],
  ['retailPrice', 1.234, [price]],
  ['retailPrice', 1e-7, [price]],
  ['retailPrice', 12.340000000001, [price]],
  ['retailPrice', 10_000_000_000, [tooExpensive]],
  ['retailPrice', 1e300, [tooExpensive]],
  ['retailPrice', '', ['retailPrice should not be empty']],
  ['retailPrice', '-1', ['retailPrice must not be less than 0']],
  ['retailPrice', '1.234', [price]],
  ['retailPrice', '1,50', [price]],
  ['retailPrice', '1e3', [price]],
  ['retailPrice', '0x10', [price]],
  ['retailPrice', '.5', [price]],
  ['retailPrice', '5.', [price]],
  ['retailPrice', '007', [price]],
  ['retailPrice', 'NaN', [price]],
  ['retailPrice', '1.00\n', [price]],
  ['retailPrice', '10000000000', [tooExpensive]],
  ['retailPrice', '10000000000.00', [tooExpensive]],
  ['currency', 'eur', [currency]],
  ['currency', 'EURO', [currency]],
  ['currency', '', ['currency should not be empty']],
  ['stockQuantity', -1, ['stockQuantity must not be less than 0']],
  ['stockQuantity', 1.5, ['stockQuantity must be an integer number']],
  ['stockQuantity', '5', ['stockQuantity must be an integer number']],
  ['stockQuantity', 2_147_483_648, ['stockQuantity must not be greater than 2147483647']],
  ['stockQuantity', 1e300, ['stockQuantity must not be greater than 2147483647']],
  ['planet', 1, ['planet must be a string']],
  ['planet', '', ['planet should not be empty']],
  ['planet', 'a'.repeat(101), ['planet must be shorter than or equal to 100 characters']],
  ['description', {}, ['description must be a string']],
  ['description', 'a'.repeat(2001), ['description must be shorter than or equal to 2000 characters']],
  ['flavour', ['pine'], ['flavour must be a string']],
  ['flavour', 'a'.repeat(501), ['flavour must be shorter than or equal to 500 characters']],
  ['feelings', 'a'.repeat(501), ['feelings must be shorter than or equal to 500 characters']],
  ['helpsWith', 'a'.repeat(501), ['helpsWith must be shorter than or equal to 500 characters']],
  ['imageUrl', 'data:image/png;base64,AAAA', ['imageUrl must be a URL address']],
  ['imageUrl', {}, ['imageUrl must be a string or null']],
  ['isAvailable', 'true', ['isAvailable must be a boolean value']],
  ['isAvailable', 0, ['isAvailable must be a boolean value']],
  ['countryCodes', 'PRT', ['countryCodes must be an array']],
  ['countryCodes', {}, ['countryCodes must be an array']],
  ['countryCodes', ['PT', 'P'], ['countryCodes.1 must be an ISO 3166-1 country code']],
  ['countryCodes', ['ZZZ'], ['countryCodes.0 must be an ISO 3166-1 country code']],
  ['countryCodes', ['PRT', null], ['countryCodes.1 must be a string']],
  ['countryCodes', ['PRT', 'DEU', 'PRT'], ['countryCodes must not have the same element twice']],
  ['strainLocations', {}, ['strainLocations must be an array']],
  ['strainLocations', [{}], ['strainLocations.0.countryCode is required']],
  [
    'strainLocations',
    [{ countryCode: 'XX' }],
    ['strainLocations.0.countryCode must be an ISO 3166-1 country code'],
  ],
  [
    'strainLocations',
    [{ countryCode: 'PRT', stockQuantity: -1, retailPrice: '1.999' }],
    [
      'strainLocations.0.stockQuantity must not be less than 0',
      'strainLocations.0.retailPrice must be an amount with at most two decimals, such as 12.50',
    ],
  ],
  [
    'strainLocations',
    [{ countryCode: 'PRT' }],
    ['strainLocations must not be given together with stockQuantity'],
  ],
])('rejects %s when it is %j', async (field, value, issues) => {
  expect(await listIssues({ ...strain, [field]: value })).toEqual(issues);
});

it('rejects more countries than there are, be they good or not', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const codes = Array.from(
    { length: 251 },
    (_, index) => `${letters[Math.floor(index / 26)]}${letters[index % 26]}X`,
  );
  expect(await listIssues({ ...strain, countryCodes: codes })).toEqual([
    'countryCodes must have no more than 250 elements',
  ]);
});

it('reports all validation issues at once', async () => {
  expect(await listIssues({ ...strain, thc: -1, retailPrice: true, currency: 'x', isAvailable: 1 })).toEqual([
    'thc must not be less than 0',
    'retailPrice must be a number or a decimal string',
    currency,
    'isAvailable must be a boolean value',
  ]);
});

it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await admin.ask('POST', '/admin/strains', { body: tooLargeBody });
  expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 256 KiB']);
});

it('created no strain in the tests above', async () => {
  expect(await sql('SELECT FROM strains WHERE name = $1', [strain.name])).toEqual([]);
});
