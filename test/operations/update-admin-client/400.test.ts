import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'REJECTED' });

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown, clientId = id): Promise<unknown> {
  const reply = await admin.ask('PATCH', `/admin/clients/${clientId}`, { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

const oneOf = 'adminApproval must be one of the following values: PENDING, VERIFIED, REJECTED';

it.each([
  [{}, ['body must have at least one of the fields adminApproval, isKYCVerified, isActive, rejectionNote']],
  [
    undefined,
    ['body must have at least one of the fields adminApproval, isKYCVerified, isActive, rejectionNote'],
  ],
  [{ isActive: true, firstName: 'Eve' }, ['firstName should not exist']],
  [{ adminApproval: 'verified' }, [oneOf]],
  [{ adminApproval: '' }, [oneOf]],
  [{ adminApproval: 7 }, [oneOf]],
  [{ adminApproval: ['VERIFIED'] }, [oneOf]],
  [{ isKYCVerified: 'true' }, ['isKYCVerified must be a boolean value']],
  [{ isKYCVerified: 0 }, ['isKYCVerified must be a boolean value']],
  [{ isActive: 1 }, ['isActive must be a boolean value']],
  [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
  [{ rejectionNote: 7 }, ['rejectionNote must be a string']],
  [{ rejectionNote: '' }, ['rejectionNote should not be empty']],
  [{ rejectionNote: ' \n' }, ['rejectionNote should not be empty']],
  [{ rejectionNote: 'a'.repeat(1001) }, ['rejectionNote must be shorter than or equal to 1000 characters']],
  [{ adminApproval: 'x', isActive: 'x' }, [oneOf, 'isActive must be a boolean value']],
])('rejects %j', async (body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each([
  ['text that is no JSON', '{"isActive":', 'body must be valid JSON'],
  ['an array', '[true]', 'body must be an object'],
  ['a NUL', '{"rejectionNote":"A\\u0000"}', 'rejectionNote must not contain NUL or unpaired surrogates'],
  [
    'half a surrogate pair',
    '{"rejectionNote":"\\ud800"}',
    'rejectionNote must not contain NUL or unpaired surrogates',
  ],
  ['__proto__', '{"isActive":true,"__proto__":{}}', 'body must not contain the name __proto__'],
  [
    'nesting without end',
    `{"isActive":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
])('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects an invalid UUID, and validates the body before it looks up the client', async () => {
  expect(await listIssues({ isActive: true }, '7')).toEqual(['clientId must be a UUID']);
  expect(await listIssues({ colour: 1 }, unknownId)).toEqual(['colour should not exist']);
});

it('changed nothing in the tests above', async () => {
  expect(
    await sql(
      'SELECT admin_approval, is_kyc_verified, is_active, rejection_note FROM clients WHERE id = $1',
      [id],
    ),
  ).toEqual([{ admin_approval: 'REJECTED', is_kyc_verified: true, is_active: true, rejection_note: null }]);
});
