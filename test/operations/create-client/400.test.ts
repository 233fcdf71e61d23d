import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const client = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown): Promise<unknown> {
  const reply = await holder.ask('POST', '/dapp/clients', { body });
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
  const missing = ['firstName is required', 'lastName is required', 'email is required'];
  expect(await listIssues({})).toEqual(missing);
  expect(await listIssues(undefined)).toEqual(missing);
});

it.each([
  ['firstName', 7, ['firstName must be a string']],
  ['firstName', null, ['firstName must be a string']],
  ['firstName', '', ['firstName should not be empty']],
  ['firstName', ' \t\u00a0', ['firstName should not be empty']],
  ['firstName', 'a'.repeat(101), ['firstName must be shorter than or equal to 100 characters']],
  ['lastName', ['Example'], ['lastName must be a string']],
  ['lastName', '   ', ['lastName should not be empty']],
  ['lastName', 'a'.repeat(101), ['lastName must be shorter than or equal to 100 characters']],
  ['email', true, ['email must be a string']],
  ['email', '', ['email should not be empty']],
  ['email', 'ada', ['email must be an email']],
  ['email', 'ada@', ['email must be an email']],
  ['email', ' ada@example.org', ['email must be an email']],
  ['email', 'ada@example.org, eve@example.org', ['email must be an email']],
  [
    'email',
    `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(4)}org`,
    ['email must be shorter than or equal to 254 characters'],
  ],
  ['phoneCode', 351, ['phoneCode must be a string']],
  ['phoneCode', '+'.repeat(9), ['phoneCode must be shorter than or equal to 8 characters']],
  ['phoneCountryCode', 'PRTX', ['phoneCountryCode must be shorter than or equal to 3 characters']],
  ['contactNumber', '1'.repeat(33), ['contactNumber must be shorter than or equal to 32 characters']],
  ['contactNumber', {}, ['contactNumber must be a string']],
  ['title', 'a'.repeat(51), ['title must be shorter than or equal to 50 characters']],
  ['marketingConsent', 'yes', ['marketingConsent must be a boolean value']],
  ['verificationType', 'PASSPORT', ['verificationType must be one of the following values: KYC, ID']],
  [
    'externalReference',
    'a'.repeat(201),
    ['externalReference must be shorter than or equal to 200 characters'],
  ],
  ['shippings', {}, ['shippings must be an array']],
  ['shippings', [{ city: 1 }], ['shippings.0.city must be a string']],
  ['shippings', Array(21).fill({}), ['shippings must have no more than 20 elements']],
  ['clientBusiness', 'Pharmacy', ['clientBusiness must be an object or null']],
  ['clientBusiness', { name: 7 }, ['clientBusiness.name must be a string']],
  [
    'clientBusiness',
    { businessType: 'a'.repeat(101), name: 'a'.repeat(201), countryCode: 'XXX' },
    [
      'clientBusiness.businessType must be shorter than or equal to 100 characters',
      'clientBusiness.name must be shorter than or equal to 200 characters',
      'clientBusiness.countryCode must be an ISO 3166-1 country code',
    ],
  ],
  ['shipping', 'Lisboa', ['shipping must be an object']],
  ['shipping', 7, ['shipping must be an object']],
  ['shipping', [], ['shipping must be an object']],
  [
    'shipping',
    { city: 1, state: false },
    ['shipping.city must be a string', 'shipping.state must be a string'],
  ],
  ['shipping', { countryCode: 'P' }, ['shipping.countryCode must be an ISO 3166-1 country code']],
  ['shipping', { countryCode: 'ZZZ' }, ['shipping.countryCode must be an ISO 3166-1 country code']],
  ['shipping', { countryCode: 'Portugal' }, ['shipping.countryCode must be an ISO 3166-1 country code']],
  ['shipping', { colour: 'green' }, ['shipping.colour should not exist']],
  ['shippings', [{}, { colour: 'green' }], ['shippings.1.colour should not exist']],
  ['clientBusiness', { colour: 'green' }, ['clientBusiness.colour should not exist']],
  [
    'shipping',
    { address1: 'a'.repeat(201), address2: 'a'.repeat(201) },
    [
      'shipping.address1 must be shorter than or equal to 200 characters',
      'shipping.address2 must be shorter than or equal to 200 characters',
    ],
  ],
  [
    'shipping',
    { city: 'a'.repeat(101), state: 'a'.repeat(101), country: 'a'.repeat(101), postalCode: '1'.repeat(21) },
    [
      'shipping.city must be shorter than or equal to 100 characters',
      'shipping.state must be shorter than or equal to 100 characters',
      'shipping.country must be shorter than or equal to 100 characters',
      'shipping.postalCode must be shorter than or equal to 20 characters',
    ],
  ],
])('rejects %s when it is %j', async (field, value, issues) => {
  expect(await listIssues({ ...client, [field]: value })).toEqual(issues);
});

it.each([
  ['text that is no JSON', '{"firstName":', ['body must be valid JSON']],
  ['an array', '[]', ['body must be an object']],
  ['null', 'null', ['body must be an object']],
  [
    'a NUL',
    '{"firstName":"A\\u0000","lastName":"E","email":"a@example.org"}',
    ['firstName must not contain NUL or unpaired surrogates'],
  ],
  [
    'half a surrogate pair',
    '{"firstName":"A","lastName":"\\ud800","email":"a@example.org"}',
    ['lastName must not contain NUL or unpaired surrogates'],
  ],
  [
    'half a surrogate pair inside of the shipping address',
    '{"firstName":"A","lastName":"E","email":"a@example.org","shipping":{"city":"\\udc00"}}',
    ['shipping.city must not contain NUL or unpaired surrogates'],
  ],
  [
    '__proto__',
    '{"firstName":"A","lastName":"E","email":"a@example.org","__proto__":{"isActive":true}}',
    ['body must not contain the name __proto__'],
  ],
  [
    'a name that stands twice',
    '{"firstName":"A","firstName":"B","lastName":"E","email":"a@example.org"}',
    ['body must not contain the name "firstName" twice'],
  ],
  [
    'nesting without end',
    `{"firstName":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ['body must not be nested deeper than 32 levels'],
  ],
])('rejects %s', async (_what, body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it('created no client in the tests above', async () => {
  expect(await sql('SELECT FROM clients WHERE token_id = $1', [holder.tokenId])).toEqual([]);
});

it('refuses an address whose country and code differ, and two default addresses', async () => {
  const address = { address1: 'Rua 1', country: 'Austria', countryCode: 'PRT' };
  expect(await listIssues({ ...client, shipping: address })).toEqual([
    'shipping.countryCode must be the code of shipping.country',
  ]);
  expect(await listIssues({ ...client, shippings: [{}, address] })).toEqual([
    'shippings.1.countryCode must be the code of shippings.1.country',
  ]);
  expect(await listIssues({ ...client, clientBusiness: address })).toEqual([
    'clientBusiness.countryCode must be the code of clientBusiness.country',
  ]);
  const shipping = { address1: 'Rua 1', countryCode: 'PRT' };
  const shippings = [{ address1: 'Long Street 5', city: 'Cape Town', countryCode: 'ZAF' }];
  expect(await listIssues({ ...client, shipping, shippings })).toEqual([
    'shippings.0 must be the same address as shipping',
  ]);
});
