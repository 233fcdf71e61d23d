import { failure } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostileBodies, hostilePages, tooLargeBody } from '../../support/hostile-requests.ts';
import { issuesOf, openStorefront } from '../../support/storefront.ts';
import { insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

describe('createStrain, 400', async () => {
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
    return issuesOf(await admin.ask('POST', '/admin/strains', { body }));
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
    expect(
      await listIssues({ ...strain, thc: -1, retailPrice: true, currency: 'x', isAvailable: 1 }),
    ).toEqual([
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
});

describe('createStrain, 403', async () => {
  const { holder, sql } = await openStorefront();

  const fields = {
    type: 'SATIVA',
    thc: 1,
    cbd: 1,
    retailPrice: 1,
    currency: 'EUR',
    stockQuantity: 1,
    planet: '1',
  };
  it('requires an administrator, even for an invalid body', async () => {
    const name = `Of a holder ${holder.tokenId}`;
    for (const body of [{ name, ...fields }, {}]) {
      const reply = await holder.signedIn.ask('POST', '/admin/strains', { body });
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
    }
    expect(await sql('SELECT FROM strains WHERE name = $1', [name])).toEqual([]);
  });
});

describe('createStrain, 404', async () => {
  const { holder, admin, sql } = await openStorefront();

  it.each(['999999999', '0', '99999999999999999999', 'Nowhere', '%', "' OR true --", unknownId])(
    'knows no planet %s',
    async (planet) => {
      const name = `Homeless ${holder.tokenId}`;
      const reply = await admin.ask('POST', '/admin/strains', {
        body: {
          name,
          type: 'SATIVA',
          thc: 1,
          cbd: 1,
          retailPrice: 1,
          currency: 'EUR',
          stockQuantity: 1,
          planet,
        },
      });
      expect(reply.status).toBe(404);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 404,
        code: 'RESOURCE_NOT_FOUND',
        message: 'Planet not found',
        data: null,
      });
      expect(await sql('SELECT FROM strains WHERE name = $1', [name])).toEqual([]);
    },
  );
});

describe('createStrain, 409', async () => {
  const { holder, admin, sql } = await openStorefront();

  const fields = {
    type: 'SATIVA',
    thc: 1,
    cbd: 1,
    retailPrice: 1,
    currency: 'EUR',
    stockQuantity: 1,
    planet: '1',
  };
  it('rejects a name that another strain has, in any case', async () => {
    const name = (await insertStrain(sql)).name.toUpperCase();
    const reply = await admin.ask('POST', '/admin/strains', { body: { name, ...fields } });
    expect(reply.status).toBe(409);
    expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A strain with the name ${name} exists already`));
  });

  it('makes one strain of many that are asked for at once with the same name', async () => {
    const name = `Race ${holder.tokenId}`;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => admin.ask('POST', '/admin/strains', { body: { name, ...fields } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const made = await sql<{ id: string }>('SELECT id FROM strains WHERE name = $1', [name]);
    expect(made).toHaveLength(1);
    expect(
      await sql(`SELECT subject_id AS id FROM audit WHERE subject = 'STRAIN' AND after->>'name' = $1`, [
        name,
      ]),
    ).toEqual(made);
  });
});

describe('listStrains, 400', () => {
  const country = 'countryCode must be an ISO 3166-1 country code';

  const queries: typeof hostilePages = [
    ...hostilePages,
    ['countryCode=XX', country],
    ['countryCode=ABC', country],
    ['countryCode=Portugal', country],
    ['country=XX', 'country must be an ISO 3166-1 country code'],
    ['countryCode=PRTX', country],
    ['countryCode=%00', country],
    [`search=${'a'.repeat(101)}`, 'search must be shorter than or equal to 100 characters'],
    ['search=a&search=b', 'search must not be given more than once'],
    ['search=%00', 'search must not contain NUL or unpaired surrogates'],
    ['planet=%00', 'planet must not contain NUL or unpaired surrogates'],
    [`planet=${'a'.repeat(101)}`, 'planet must be shorter than or equal to 100 characters'],
  ];

  it.each(queries)('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/dapp/strains?${query}`);
    expect(issuesOf(reply)).toEqual([issue]);
  });

  it('reports all validation issues at once', async () => {
    const reply = await holder.ask('GET', '/dapp/strains?page=0&take=x&countryCode=1');
    expect(reply.envelope.data).toEqual([
      'page must not be less than 1',
      'take must be an integer number',
      country,
    ]);
  });
});

describe('updateStrain, 400', async () => {
  const { admin, sql } = await openStorefront();

  const { id } = await insertStrain(sql);
  const path = `/admin/strains/${id}`;
  const readRow = () => sql('SELECT * FROM strains WHERE id = $1', [id]);
  const before = await readRow();

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown, to = path): Promise<unknown> {
    return issuesOf(await admin.ask('PATCH', to, { body }));
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
});

describe('updateStrain, 403', async () => {
  const { holder, admin, sql } = await openStorefront();

  const readRow = (id: string) => sql('SELECT * FROM strains WHERE id = $1', [id]);

  it('requires an administrator', async () => {
    const { id } = await insertStrain(sql);
    const before = await readRow(id);
    const reply = await holder.signedIn.ask('PATCH', `/admin/strains/${id}`, { body: { retailPrice: 0 } });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
    expect(await readRow(id)).toEqual(before);
  });

  it('takes no more from the stock than there is', async () => {
    const { id, name } = await insertStrain(sql, { stock: 3 });
    const before = await readRow(id);
    const reply = await admin.ask('PATCH', `/admin/strains/${id}`, {
      body: { stockChange: -4, description: 'New' },
    });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual(failure('STOCK_TOO_LOW', `${name} has only 3 left in Portugal`));
    expect(await readRow(id)).toEqual(before);
  });

  it('adds no more to the stock than can be counted', async () => {
    const { id, name } = await insertStrain(sql, { stock: 1 });
    const body = { stockChange: 2_147_483_647 };
    const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual(
      failure('STOCK_TOO_HIGH', `${name} cannot have more than 2147483647 in stock in Portugal`),
    );
  });

  it('never takes the stock below zero, however many take from it at once', async () => {
    const { id } = await insertStrain(sql, { stock: 5 });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        admin.ask('PATCH', `/admin/strains/${id}`, { body: { stockChange: -2 } }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
    expect(await sql('SELECT stock_quantity FROM strain_locations WHERE strain_id = $1', [id])).toEqual([
      { stock_quantity: 1 },
    ]);
  });
});

describe('updateStrain, 404', async () => {
  const { admin, sql } = await openStorefront();

  const notFound = (message: string) => failure('RESOURCE_NOT_FOUND', message);

  it('returns 404 for an unknown strain before it looks up the planet', async () => {
    for (const body of [{ thc: 1 }, { planet: 'Nowhere' }, { stockChange: -1 }]) {
      const reply = await admin.ask('PATCH', `/admin/strains/${unknownId}`, { body });
      expect(reply.status).toBe(404);
      expect(reply.envelope).toEqual(notFound('Strain not found'));
    }
  });

  it('returns 404 for an unknown planet before it checks the stock, and changes nothing', async () => {
    const { id } = await insertStrain(sql, { stock: 1 });
    const readRow = () => sql('SELECT * FROM strains WHERE id = $1', [id]);
    const before = await readRow();
    for (const planet of ['Nowhere', '999999999', '99999999999999999999', unknownId]) {
      const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body: { planet, stockChange: -2 } });
      expect(reply.status).toBe(404);
      expect(reply.envelope).toEqual(notFound('Planet not found'));
    }
    expect(await readRow()).toEqual(before);
  });
});

describe('updateStrain, 409', async () => {
  const { admin, sql } = await openStorefront();

  const readRow = (id: string) => sql('SELECT * FROM strains WHERE id = $1', [id]);

  it('rejects the name of another strain, in any case, and changes nothing', async () => {
    const { id } = await insertStrain(sql);
    const before = await readRow(id);
    const name = (await insertStrain(sql)).name.toUpperCase();
    const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body: { name, stockChange: 1 } });
    expect(reply.status).toBe(409);
    expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A strain with the name ${name} exists already`));
    expect(await readRow(id)).toEqual(before);
    expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
  });
});
