import type { Sale } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

describe('createSale, 400', async () => {
  const { holder, sql } = await openStorefront();
  const { id: clientId } = await insertClient(sql, holder.tokenId);

  const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['clientId is required']],
    ['no client', { stage: 'LEADS' }, ['clientId is required']],
    ['an empty client', { clientId: '' }, ['clientId should not be empty']],
    ['a client that is no id', { clientId: '7' }, ['clientId must be a UUID']],
    ['a client of null', { clientId: null }, ['clientId must be a string']],
    ['a client that is a list', { clientId: [clientId] }, ['clientId must be a string']],
    ['an unknown stage', { clientId, stage: 'WON' }, [stages]],
    ['an empty stage', { clientId, stage: '' }, [stages]],
    ['a description that is no text', { clientId, description: {} }, ['description must be a string']],
    [
      'a description that is too long',
      { clientId, description: 'x'.repeat(2001) },
      ['description must be shorter than or equal to 2000 characters'],
    ],
    [
      'several faults at once',
      { clientId: 'x', stage: 'y', description: 1 },
      ['clientId must be a UUID', stages, 'description must be a string'],
    ],
    [
      'NUL in the description',
      `{"clientId":"${unknownId}","description":"\\u0000"}`,
      ['description must not contain NUL or unpaired surrogates'],
    ],
    [
      'half a character',
      `{"clientId":"${unknownId}","description":"\\udc00"}`,
      ['description must not contain NUL or unpaired surrogates'],
    ],
    [
      'the name __proto__',
      `{"clientId":"${unknownId}","__proto__":{"stage":"LEADS"}}`,
      ['body must not contain the name __proto__'],
    ],
    [
      'deep nesting',
      `{"clientId":${'['.repeat(40)}${']'.repeat(40)}}`,
      ['body must not be nested deeper than 32 levels'],
    ],
    ['a list', '[]', ['body must be an object']],
  ])('rejects %s', async (_name, body, issues) => {
    const reply = await holder.ask('POST', '/dapp/sales', { body });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });

  it('rejects a body of 10 MB with 413', async () => {
    const body = { clientId, description: 'x'.repeat(10_000_000) };
    const reply = await holder.ask('POST', '/dapp/sales', { body });
    expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
  });

  it('created no sale in the tests above', async () => {
    await holder.ask('POST', '/dapp/sales', { body: { clientId, stage: 'WON' } });
    expect(await sql('SELECT FROM sales WHERE client_id = $1', [clientId])).toEqual([]);
  });
});

describe('createSale, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])('opens nothing for a client of %s', async (_name, other) => {
    const { id: clientId } = await insertClient(sql, other.tokenId);
    const reply = await holder.ask('POST', '/dapp/sales', { body: { clientId } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Client belongs to another holder or digital key',
      data: null,
    });
    expect(await sql('SELECT FROM sales WHERE client_id = $1', [clientId])).toEqual([]);
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('POST', '/dapp/sales', { body: { clientId: unknownId } });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('createSale, 404', () => {
  it('returns 404 for an unknown client', async () => {
    const reply = await holder.ask('POST', '/dapp/sales', { body: { clientId: unknownId } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Client not found',
      data: null,
    });
  });
});

describe('getSaleHistory, 400', () => {
  it.each<[string, string[]]>([
    ['7/history', ['saleId must be a UUID']],
    ['%00/history', ['saleId must be a UUID']],
    ['__proto__/history', ['saleId must be a UUID']],
    [`${unknownId}/history?page=0`, ['page must not be less than 1']],
    [`${unknownId}/history?page=9007199254740993`, ['page must not be greater than 2147483647']],
    [`${unknownId}/history?take=1e9`, ['take must be an integer number']],
    [`${unknownId}/history?take=1001`, ['take must not be greater than 1000']],
    [
      '7/history?page=x&limit=0',
      ['saleId must be a UUID', 'page must be an integer number', 'limit must not be less than 1'],
    ],
  ])('rejects %s', async (path, issues) => {
    const reply = await holder.ask('GET', `/dapp/sales/${path}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });
});

describe('getSaleHistory, 403', async () => {
  const { holder, stranger, sibling, admin } = await openStorefront();

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])('rejects the history of a sale of %s', async (_name, other) => {
    const sale = dataOf<Sale>(await other.ask('PATCH', '/dapp/sales', { body: { description: 'Private' } }));
    const reply = await holder.ask('GET', `/dapp/sales/${sale.id}/history`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Sale belongs to another holder or digital key',
      data: null,
    });
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('GET', `/dapp/sales/${unknownId}/history`);
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('listSales, 400', () => {
  const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

  it.each<[string, string[]]>([
    ...hostilePages.map(([query, issue]): [string, string[]] => [query, [issue]]),
    ['stage=WON', [stages]],
    ['stage=leads', [stages]],
    ['stage=%00', [stages]],
    ['stage=LEADS&stage=CLOSED', ['stage must not be given more than once']],
    ['clientId=7', ['clientId must be a UUID']],
    ['clientId=%00', ['clientId must be a UUID']],
    ['orderId=%ED%A0%80', ['orderId must be a UUID']],
    [
      'page=0&take=1001&stage=x&clientId=y&orderId=z',
      [
        'page must not be less than 1',
        'take must not be greater than 1000',
        stages,
        'clientId must be a UUID',
        'orderId must be a UUID',
      ],
    ],
  ])('rejects %s', async (query, issues) => {
    const reply = await holder.ask('GET', `/dapp/sales?${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });
});

describe('updateSale, 400', () => {
  const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

  it.each<[string, unknown, string[]]>([
    ['neither field', {}, ['body must have at least one of the fields stage, description']],
    ['no body at all', undefined, ['body must have at least one of the fields stage, description']],
    ['an unknown stage', { stage: 'WON' }, [stages]],
    ['a stage in small letters', { stage: 'closed' }, [stages]],
    ['an empty stage', { stage: '' }, [stages]],
    ['a stage of another type', { stage: {} }, [stages]],
    ['a description that is no text', { description: 7 }, ['description must be a string']],
    ['a description of another type', { description: {} }, ['description must be a string']],
    [
      'a description that is too long',
      { description: 'x'.repeat(2001) },
      ['description must be shorter than or equal to 2000 characters'],
    ],
    ['several faults at once', { stage: 1, description: [] }, [stages, 'description must be a string']],
    [
      'NUL in the description',
      '{"description":"a\\u0000b"}',
      ['description must not contain NUL or unpaired surrogates'],
    ],
    [
      'half a character',
      '{"description":"\\ud800"}',
      ['description must not contain NUL or unpaired surrogates'],
    ],
    ['the name __proto__', '{"stage":"CLOSED","__proto__":{}}', ['body must not contain the name __proto__']],
    ['a name twice', '{"stage":"CLOSED","stage":"LEADS"}', ['body must not contain the name "stage" twice']],
    [
      'deep nesting',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      ['body must not be nested deeper than 32 levels'],
    ],
    ['a list', [], ['body must be an object']],
    ['null', 'null', ['body must be an object']],
    ['broken JSON', '{"stage":', ['body must be valid JSON']],
  ])('rejects %s', async (_name, body, issues) => {
    const reply = await holder.ask('PATCH', '/dapp/sales', { body });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Validation failed',
      data: issues,
    });
  });

  it.each(['7', '%00', '019a8f3e-7c00-7000-8000-00000000000', "' OR true --"])(
    'refuses the id %s',
    async (id) => {
      const reply = await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { stage: 'CLOSED' } });
      expect(reply.envelope).toMatchObject({ statusCode: 400, data: ['id must be a UUID'] });
    },
  );

  it('names the faults of query and body together', async () => {
    const reply = await holder.ask('PATCH', '/dapp/sales?id=7', { body: { stage: 'WON' } });
    expect(reply.envelope).toMatchObject({ statusCode: 400, data: ['id must be a UUID', stages] });
  });

  it('rejects a body of 10 MB with 413', async () => {
    const reply = await holder.ask('PATCH', '/dapp/sales', { body: { description: 'x'.repeat(10_000_000) } });
    expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
  });
});

describe('updateSale, 403', async () => {
  const { holder, stranger, sibling, admin, sql } = await openStorefront();

  it.each([
    ['another holder', stranger],
    ['another digital key of the same holder', sibling],
  ])('rejects the sale of %s and leaves it as it is', async (_name, other) => {
    const look = () =>
      sql<{ id: string }>('SELECT * FROM sales WHERE token_id = $1 AND client_id IS NULL', [other.tokenId]);
    const [before] = await look();
    const reply = await holder.ask('PATCH', `/dapp/sales?id=${before?.id}`, { body: { stage: 'CLOSED' } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Sale belongs to another holder or digital key',
      data: null,
    });
    expect(await look()).toEqual([before]);
  });

  it('rejects an administrator, who has no digital key', async () => {
    const reply = await admin.ask('PATCH', '/dapp/sales', { body: { stage: 'CLOSED' } });
    expect(reply.envelope).toMatchObject({
      statusCode: 403,
      message: 'This is for holders of a digital key: sign in as one',
    });
  });
});

describe('updateSale, 404', () => {
  it('returns 404 for an unknown sale', async () => {
    const reply = await holder.ask('PATCH', `/dapp/sales?id=${unknownId}`, { body: { stage: 'CLOSED' } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Sale not found',
      data: null,
    });
  });
});
