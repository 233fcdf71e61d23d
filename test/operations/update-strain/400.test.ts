import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { admin, sql } = await openStorefront();

const { id } = await insertStrain(sql);
const path = `/admin/strains/${id}`;
const readRow = () => sql('SELECT * FROM strains WHERE id = $1', [id]);
const before = await readRow();

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
      expect.stringMatching(
        /^body must have at least one of the fields name, .*, stockChange, strainLocations$/,
      ),
    ]);
  }
});

it('rejects an absolute stock together with a change of it', async () => {
  for (const stockChange of [5, 0]) {
    expect(await listIssues({ stockQuantity: 5, stockChange })).toEqual([
      'stockChange must not be given together with stockQuantity',
    ]);
  }
});

it('rejects a change of locations that contradicts itself', async () => {
  const here = { countryCode: 'PRT' };
  for (const [body, issue] of [
    [
      { strainLocations: [here], countryCodes: [] },
      'strainLocations must not be given together with countryCodes',
    ],
    [
      { strainLocations: [here], stockChange: 1 },
      'strainLocations must not be given together with stockChange',
    ],
    [
      { strainLocations: [here, { countryCode: 'pt' }] },
      'strainLocations must not have the same country twice',
    ],
    [
      { strainLocations: [{ ...here, stockChange: 1, stockQuantity: 1 }] },
      'strainLocations.0.stockChange must not be given together with stockQuantity',
    ],
    [
      { strainLocations: [{ ...here, currency: 'USD' }] },
      'strainLocations.0.currency must not be given without retailPrice',
    ],
  ] as const) {
    expect(await listIssues(body)).toEqual([issue]);
  }
});

it.each([
  [{ name: '' }, ['name should not be empty']],
  [{ name: 7 }, ['name must be a string']],
  [{ name: 'a'.repeat(101) }, ['name must be shorter than or equal to 100 characters']],
  [{ type: 'RUDERALIS' }, ['type must be one of the following values: INDICA, SATIVA, HYBRID']],
  [{ thc: 100.5 }, ['thc must not be greater than 100']],
  [{ cbd: 0.005 }, ['cbd must have at most two decimals']],
  [{ retailPrice: '1.999' }, ['retailPrice must be an amount with at most two decimals, such as 12.50']],
  [{ retailPrice: true }, ['retailPrice must be a number or a decimal string']],
  [{ currency: 'E' }, ['currency must be an ISO 4217 currency code']],
  [{ stockQuantity: -1 }, ['stockQuantity must not be less than 0']],
  [{ stockQuantity: '' }, ['stockQuantity must be an integer number']],
  [{ stockChange: '5' }, ['stockChange must be an integer number']],
  [{ stockChange: 0.5 }, ['stockChange must be an integer number']],
  [{ stockChange: 2_147_483_648 }, ['stockChange must not be greater than 2147483647']],
  [{ stockChange: -2_147_483_648 }, ['stockChange must not be less than -2147483647']],
  [{ planet: 7 }, ['planet must be a string']],
  [{ planet: '' }, ['planet should not be empty']],
  [{ description: 'a'.repeat(2001) }, ['description must be shorter than or equal to 2000 characters']],
  [{ imageUrl: 'nowhere' }, ['imageUrl must be a URL address']],
  [{ isAvailable: 0 }, ['isAvailable must be a boolean value']],
  [{ countryCodes: ['PRT', 'PRT'] }, ['countryCodes must not have the same element twice']],
  [{ thc: -1, currency: '' }, ['thc must not be less than 0', 'currency should not be empty']],
])('rejects %j', async (body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it.each(['7', 'Lunar', '%00', '019a8f3e-7c00-7000-8000-00000000dea'])(
  'refuses %s, which is no UUID, together with what is wrong in the body',
  async (strainId) => {
    expect(await listIssues({ thc: -1 }, `/admin/strains/${strainId}`)).toEqual([
      'strainId must be a UUID',
      'thc must not be less than 0',
    ]);
  },
);

it('rejects a body of 10 MB with 413', async () => {
  const reply = await admin.ask('PATCH', path, { body: tooLargeBody });
  expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 256 KiB']);
});

it('changed nothing in the tests above', async () => {
  expect(await readRow()).toEqual(before);
});
