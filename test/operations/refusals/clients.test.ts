import type { Client } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostileClientQueries, hostileTokenIds } from '../../support/hostile-requests.ts';
import { dataOf, issuesOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, admin } = await openStorefront();

describe('createClient, 400', async () => {
  const { holder, sql } = await openStorefront();

  const client = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown): Promise<unknown> {
    return issuesOf(await holder.ask('POST', '/dapp/clients', { body }));
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
});

describe('createClient, 403', () => {
  const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('POST', '/dapp/clients', { body });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('createClient, 409', async () => {
  const { holder, sql } = await openStorefront();

  const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

  it('rejects a second client with the e-mail, in any letter case, and opens no lead', async () => {
    expect((await holder.ask('POST', '/dapp/clients', { body })).status).toBe(201);
    for (const email of ['ada@example.org', 'ADA@example.ORG']) {
      const reply = await holder.ask('POST', '/dapp/clients', { body: { ...body, email } });
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 409,
        code: 'EMAIL_TAKEN',
        message: 'A client with this e-mail exists already',
        data: null,
      });
      expect(reply.status).toBe(409);
    }
    expect(
      await sql('SELECT FROM sales WHERE token_id = $1 AND client_id IS NOT NULL', [holder.tokenId]),
    ).toHaveLength(1);
  });
});

describe('getClient, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  const { id } = await insertClient(sql, holder.tokenId, { firstName: 'Unmistakable' });

  it('rejects another holder and another digital key of the same holder, and reveals nothing about the client', async () => {
    for (const caller of [stranger, stranger.signedIn, sibling]) {
      const reply = await caller.ask('GET', `/dapp/clients/${id}`);
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'Client belongs to another holder or digital key',
        data: null,
      });
    }
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('GET', `/dapp/clients/${id}`);
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('listClients, 400', () => {
  it.each(hostileClientQueries)('rejects %s', async (query, issue) => {
    const reply = await holder.ask('GET', `/dapp/clients?${query}`);
    expect(issuesOf(reply)).toEqual([issue]);
  });

  it('reports all validation issues at once', async () => {
    const reply = await holder.ask('GET', '/dapp/clients?page=0&take=x&isActive=maybe');
    expect(reply.envelope.data).toEqual([
      'page must not be less than 1',
      'take must be an integer number',
      'isActive must be one of the following values: true, false',
    ]);
  });
});

describe('updateClient, 400', async () => {
  const { holder, sql } = await openStorefront();

  const { id } = await insertClient(sql, holder.tokenId);
  const before = dataOf<Client>(await holder.ask('GET', `/dapp/clients/${id}`));

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown, clientId = id): Promise<unknown> {
    return issuesOf(await holder.ask('PATCH', `/dapp/clients/${clientId}`, { body }));
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
    [
      'half a surrogate pair',
      '{"lastName":"\\ud800"}',
      'lastName must not contain NUL or unpaired surrogates',
    ],
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
});

describe('updateClient, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  const { id } = await insertClient(sql, holder.tokenId, { email: 'ada@example.org' });
  const namesNow = () => sql('SELECT first_name, email FROM clients WHERE id = $1', [id]);

  it('rejects another holder and another digital key of the same holder, and changes nothing', async () => {
    for (const caller of [stranger, sibling]) {
      const reply = await caller.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'Client belongs to another holder or digital key',
        data: null,
      });
    }
    expect(await namesNow()).toEqual([{ first_name: 'Ada', email: 'ada@example.org' }]);
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('updateClient, 404', async () => {
  const { holder, sql } = await openStorefront();

  it('returns 404 for an unknown client even if the e-mail is taken', async () => {
    await insertClient(sql, holder.tokenId, { email: 'taken@example.org' });
    for (const body of [{ firstName: 'Grace' }, { email: 'taken@example.org' }]) {
      const reply = await holder.ask('PATCH', `/dapp/clients/${unknownId}`, { body });
      expect(reply.status).toBe(404);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 404,
        code: 'RESOURCE_NOT_FOUND',
        message: 'Client not found',
        data: null,
      });
    }
  });
});

describe('updateClient, 409', async () => {
  const { holder, sql } = await openStorefront();

  const { id } = await insertClient(sql, holder.tokenId, { email: 'ada@example.org' });
  const namesNow = () => sql('SELECT first_name, email FROM clients WHERE id = $1', [id]);

  it('rejects an e-mail that another client of the digital key has, in any case, and changes nothing', async () => {
    await insertClient(sql, holder.tokenId, { email: 'taken@example.org' });
    for (const email of ['taken@example.org', 'TAKEN@example.org']) {
      const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve', email } });
      expect(reply.status).toBe(409);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 409,
        code: 'EMAIL_TAKEN',
        message: 'A client with this e-mail exists already',
        data: null,
      });
    }
    expect(await namesNow()).toEqual([{ first_name: 'Ada', email: 'ada@example.org' }]);
  });

  it('lets one of many clients have an e-mail that all want at once', async () => {
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push((await insertClient(sql, holder.tokenId)).id);
    const replies = await Promise.all(
      ids.map((each) =>
        holder.ask('PATCH', `/dapp/clients/${each}`, { body: { email: 'wanted@example.org' } }),
      ),
    );
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe('listAdminClients, 400', () => {
  it.each([
    ...hostileClientQueries,
    ...hostileTokenIds.map(([tokenId, issue]) => [`tokenId=${tokenId}`, issue] as const),
  ])('rejects %s', async (query, issue) => {
    const reply = await admin.ask('GET', `/admin/clients?${query}`);
    expect(issuesOf(reply)).toEqual([issue]);
  });

  it('reports all validation issues at once', async () => {
    const reply = await admin.ask('GET', '/admin/clients?page=0&take=x&isActive=maybe');
    expect(reply.envelope.data).toEqual([
      'page must not be less than 1',
      'take must be an integer number',
      'isActive must be one of the following values: true, false',
    ]);
  });
});

describe('updateAdminClient, 400', async () => {
  const { holder, admin, sql } = await openStorefront();

  const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'REJECTED' });

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown, clientId = id): Promise<unknown> {
    return issuesOf(await admin.ask('PATCH', `/admin/clients/${clientId}`, { body }));
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
});

describe('updateAdminClient, 403', async () => {
  const { holder, admin, sql } = await openStorefront();

  const standingOf = (id: string) =>
    sql('SELECT admin_approval, is_active, rejection_note FROM clients WHERE id = $1', [id]);

  it.each([
    ['PENDING', { rejectionNote: 'Because.' }],
    ['VERIFIED', { rejectionNote: 'Because.', isActive: false }],
    ['REJECTED', { adminApproval: 'VERIFIED', rejectionNote: 'Because.' }],
    ['REJECTED', { adminApproval: 'PENDING', rejectionNote: 'Because.' }],
  ])(
    'rejects a note for a client who is %s and gets %j, and changes nothing',
    async (adminApproval, body) => {
      const { id } = await insertClient(sql, holder.tokenId, { adminApproval });
      const reply = await admin.ask('PATCH', `/admin/clients/${id}`, { body });
      expect(reply.status).toBe(403);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 403,
        code: 'REJECTION_NOTE_REFUSED',
        message: 'Only a rejected client has a rejection note',
        data: null,
      });
      expect(await standingOf(id)).toEqual([
        { admin_approval: adminApproval, is_active: true, rejection_note: null },
      ]);
      expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
    },
  );

  it('rejects a holder, even for their own client', async () => {
    const { id } = await insertClient(sql, holder.tokenId, { adminApproval: 'PENDING' });
    const reply = await holder.signedIn.ask('PATCH', `/admin/clients/${id}`, {
      body: { adminApproval: 'VERIFIED' },
    });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toMatchObject({ success: false, statusCode: 403, data: null });
    expect(await standingOf(id)).toEqual([
      { admin_approval: 'PENDING', is_active: true, rejection_note: null },
    ]);
  });
});
