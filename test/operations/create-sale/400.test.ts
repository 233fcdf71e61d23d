import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

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
