import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { admin, sql } = await openStorefront();

const [planet] = await sql<{ id: string; updated_at: Date }>(
  'SELECT id, updated_at FROM planets WHERE number = 1',
);
const path = `/admin/planets/${planet?.id}`;

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown, to = path): Promise<unknown> {
  const reply = await admin.ask('PATCH', to, { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

it('rejects a change that names none of its fields', async () => {
  for (const body of [{}, undefined]) {
    expect(await listIssues(body)).toEqual([
      'body must have at least one of the fields number, name, description, imageUrl',
    ]);
  }
});

it.each([
  [{ number: '7' }, ['number must be an integer number']],
  [{ number: '' }, ['number must be an integer number']],
  [{ number: 0 }, ['number must not be less than 1']],
  [{ number: 1_000_000_000 }, ['number must not be greater than 999999999']],
  [{ name: false }, ['name must be a string']],
  [{ name: '' }, ['name should not be empty']],
  [{ name: 'a'.repeat(101) }, ['name must be shorter than or equal to 100 characters']],
  [{ description: 7 }, ['description must be a string']],
  [{ description: 'a'.repeat(2001) }, ['description must be shorter than or equal to 2000 characters']],
  [{ imageUrl: false }, ['imageUrl must be a string or null']],
  [{ imageUrl: 'ftp://a.example/' }, ['imageUrl must be a URL address']],
  [{ number: 0, name: 7 }, ['number must not be less than 1', 'name must be a string']],
])('rejects %j', async (body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it.each(['7', 'Verdane', '%00', '019a8f3e-7c00-7000-8000-00000000dea'])(
  'refuses %s, which is no UUID, together with what is wrong in the body',
  async (planetId) => {
    expect(await listIssues({ number: 0 }, `/admin/planets/${planetId}`)).toEqual([
      'planetId must be a UUID',
      'number must not be less than 1',
    ]);
  },
);

it('rejects a body of 10 MB with 413', async () => {
  const reply = await admin.ask('PATCH', path, { body: tooLargeBody });
  expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 16 KiB']);
});

it('changed nothing in the tests above', async () => {
  expect(await sql('SELECT id, updated_at FROM planets WHERE number = 1')).toEqual([planet]);
});
