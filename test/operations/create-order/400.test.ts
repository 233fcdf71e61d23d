import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

/** Sends an invalid body and returns the validation issues. */
async function listIssues(body: unknown): Promise<unknown> {
  const reply = await holder.ask('POST', '/dapp/orders', { body });
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
  [{}, 'clientId is required'],
  [undefined, 'clientId is required'],
  [{ clientId: null }, 'clientId must be a string'],
  [{ clientId: 7 }, 'clientId must be a string'],
  [{ clientId: true }, 'clientId must be a string'],
  [{ clientId: [unknownId] }, 'clientId must be a string'],
  [{ clientId: { id: unknownId } }, 'clientId must be a string'],
  [{ clientId: '' }, 'clientId should not be empty'],
  [{ clientId: 'x' }, 'clientId must be a UUID'],
  [{ clientId: ` ${unknownId}` }, 'clientId must be a UUID'],
  [{ clientId: unknownId.slice(1) }, 'clientId must be a UUID'],
  [{ clientId: `${unknownId}' OR true --` }, 'clientId must be a UUID'],
  [{ clientId: 'a'.repeat(10_000) }, 'clientId must be a UUID'],
])('rejects %j', async (body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it.each([
  ['text that is no JSON', '{"clientId":', 'body must be valid JSON'],
  ['an array', `["${unknownId}"]`, 'body must be an object'],
  ['a text', `"${unknownId}"`, 'body must be an object'],
  ['null', 'null', 'body must be an object'],
  ['a NUL', `{"clientId":"${unknownId}\\u0000"}`, 'clientId must not contain NUL or unpaired surrogates'],
  ['half a surrogate pair', '{"clientId":"\\ud800"}', 'clientId must not contain NUL or unpaired surrogates'],
  [
    '__proto__',
    `{"clientId":"${unknownId}","__proto__":{"clientId":"x"}}`,
    'body must not contain the name __proto__',
  ],
  [
    'a name that stands twice',
    `{"clientId":"${unknownId}","clientId":"${unknownId}"}`,
    'body must not contain the name "clientId" twice',
  ],
  [
    'nesting without end',
    `{"clientId":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    'body must not be nested deeper than 32 levels',
  ],
])('rejects %s', async (_what, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it('rejects bytes that are not UTF-8', async () => {
  expect(await listIssues(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual(['body must be UTF-8']);
});

it('created no order in the tests above', async () => {
  expect(await sql('SELECT FROM orders WHERE token_id = $1', [holder.tokenId])).toEqual([]);
});
