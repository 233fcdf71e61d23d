import type { Client } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const { id } = await insertClient(sql, holder.tokenId);
const before = dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id}`));

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown, clientId = id): Promise<unknown> {
  const reply = await holder.ask('PATCH', `/dapp/clients/${clientId}`, { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

it.each([
  ['an empty body', {}, 'body'],
  ['no body at all', undefined, 'body'],
  ['an empty shipping address', { shipping: {} }, 'shipping'],
])('rejects %s', async (_what, body, path) => {
  expect(await listIssues(body)).toEqual([
    expect.stringMatching(new RegExp(`^${path} must have at least one of the fields `)),
  ]);
});

it('rejects fields that only administrators change, for a client that does not exist too', async () => {
  for (const clientId of [id, unknownId]) {
    expect(
      await listIssues({ firstName: 'Eve', adminApproval: 'VERIFIED', isActive: false }, clientId),
    ).toEqual(['adminApproval should not exist', 'isActive should not exist']);
  }
});

it.each([
  [{ firstName: 7 }, ['firstName must be a string']],
  [{ firstName: false }, ['firstName must be a string']],
  [{ firstName: '' }, ['firstName should not be empty']],
  [{ lastName: '  ' }, ['lastName should not be empty']],
  [{ lastName: 'a'.repeat(101) }, ['lastName must be shorter than or equal to 100 characters']],
  [{ email: 'ada' }, ['email must be an email']],
  [{ email: 7 }, ['email must be a string']],
  [{ phoneCode: [] }, ['phoneCode must be a string']],
  [{ phoneCountryCode: 'PRTX' }, ['phoneCountryCode must be shorter than or equal to 3 characters']],
  [{ contactNumber: '1'.repeat(33) }, ['contactNumber must be shorter than or equal to 32 characters']],
  [{ shipping: [] }, ['shipping must be an object']],
  [{ shipping: { city: {} } }, ['shipping.city must be a string']],
  [{ shipping: { countryCode: 'zz' } }, ['shipping.countryCode must be an ISO 3166-1 country code']],
  [
    { firstName: 1, email: 'x', shipping: { city: 2 } },
    ['firstName must be a string', 'email must be an email', 'shipping.city must be a string'],
  ],
])('rejects %j', async (body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each([
  ['text that is no JSON', '{"firstName":', 'body must be valid JSON'],
  ['an array', '["firstName"]', 'body must be an object'],
  ['a NUL', '{"firstName":"A\\u0000"}', 'firstName must not contain NUL or unpaired surrogates'],
  ['half a surrogate pair', '{"lastName":"\\ud800"}', 'lastName must not contain NUL or unpaired surrogates'],
  ['__proto__', '{"firstName":"A","__proto__":{}}', 'body must not contain the name __proto__'],
  [
    'a name that stands twice',
    '{"email":"a@b.cd","email":"e@f.gh"}',
    'body must not contain the name "email" twice',
  ],
  [
    'nesting without end',
    `{"shipping":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
])('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects an invalid UUID together with issues of the body', async () => {
  expect(await listIssues({ firstName: 7 }, 'summary')).toEqual([
    'clientId must be a UUID',
    'firstName must be a string',
  ]);
});

it('changed nothing in the tests above', async () => {
  expect(dataOf(await holder.ask('GET', `/dapp/clients/${id}`))).toEqual(before);
});
