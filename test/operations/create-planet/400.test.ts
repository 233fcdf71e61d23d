import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

const name = `Refused ${holder.tokenId}`;
const planet = { number: 1_000 * holder.tokenId, name };

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown): Promise<unknown> {
  const reply = await admin.ask('POST', '/admin/planets', { body });
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
  const missing = ['number is required', 'name is required'];
  expect(await listIssues({})).toEqual(missing);
  expect(await listIssues(undefined)).toEqual(missing);
});

it.each([
  ['number', '7', ['number must be an integer number']],
  ['number', 1.5, ['number must be an integer number']],
  ['number', null, ['number must be an integer number']],
  ['number', 0, ['number must not be less than 1']],
  ['number', -7, ['number must not be less than 1']],
  ['number', 1_000_000_000, ['number must not be greater than 999999999']],
  ['number', 1e300, ['number must not be greater than 999999999']],
  ['name', 7, ['name must be a string']],
  ['name', null, ['name must be a string']],
  ['name', '', ['name should not be empty']],
  ['name', ' \t', ['name should not be empty']],
  ['name', 'a'.repeat(101), ['name must be shorter than or equal to 100 characters']],
  ['description', {}, ['description must be a string']],
  ['description', 'a'.repeat(2001), ['description must be shorter than or equal to 2000 characters']],
  ['imageUrl', 7, ['imageUrl must be a string or null']],
  ['imageUrl', '', ['imageUrl should not be empty']],
  ['imageUrl', 'images/7.png', ['imageUrl must be a URL address']],
  ['imageUrl', 'javascript:alert(1)', ['imageUrl must be a URL address']],
  ['imageUrl', 'https:///7.png', ['imageUrl must be a URL address']],
  ['imageUrl', 'https://images.example/a b', ['imageUrl must be a URL address']],
  [
    'imageUrl',
    `https://images.example/${'a'.repeat(2048)}`,
    ['imageUrl must be shorter than or equal to 2048 characters'],
  ],
])('rejects %s when it is %j', async (field, value, issues) => {
  expect(await listIssues({ ...planet, [field]: value })).toEqual(issues);
});

it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await admin.ask('POST', '/admin/planets', { body: tooLargeBody });
  expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 16 KiB']);
});

it('created no planet in the tests above', async () => {
  expect(
    await sql('SELECT FROM planets WHERE number = $1 OR name = $2', [planet.number, planet.name]),
  ).toEqual([]);
});
