import { expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { draftSale } from '../../support/nft-sales.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();
const sale = await draftSale(holder, sql);
const { tokenId } = sale;

const signature = `0x${'00'.repeat(65)}`;
const form = 'signature must be hexadecimal bytes that start with 0x';
const tooLong = 'signature must be shorter than or equal to 16386 characters';

async function listIssues(body: unknown, id: string = sale.id): Promise<unknown> {
  const reply = await holder.ask('PATCH', `/marketplace/nfts/sale/${id}`, { body });
  expect(reply.status).toBe(400);
  expect(reply.envelope).toMatchObject({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return reply.envelope.data;
}

it.each<[string, unknown, string[]]>([
  ['no body', undefined, ['tokenId is required', 'signature is required']],
  ['no token id', { signature }, ['tokenId is required']],
  ['no signature', { tokenId }, ['signature is required']],
  ['a token id that is text', { tokenId: String(tokenId), signature }, ['tokenId must be an integer number']],
  ['a token id of null', { tokenId: null, signature }, ['tokenId must be an integer number']],
  ['a token id below zero', { tokenId: -1, signature }, ['tokenId must not be less than 0']],
  [
    'a token id that JSON cannot carry',
    { tokenId: 2 ** 53, signature },
    ['tokenId must not be greater than 9007199254740991'],
  ],
  ['a signature that is no text', { tokenId, signature: 7 }, ['signature must be a string']],
  ['a signature of null', { tokenId, signature: null }, ['signature must be a string']],
  ['an empty signature', { tokenId, signature: '' }, ['signature should not be empty']],
  ['a signature of no bytes', { tokenId, signature: '0x' }, [form]],
  ['a signature without 0x', { tokenId, signature: '00'.repeat(65) }, [form]],
  ['a signature that begins with 0X', { tokenId, signature: `0X${'00'.repeat(65)}` }, [form]],
  ['a signature of half a byte', { tokenId, signature: `${signature}0` }, [form]],
  ['a signature with a blank', { tokenId, signature: `${signature} ` }, [form]],
  ['a signature with a line end', { tokenId, signature: `${signature}\n` }, [form]],
  ['a signature in Base64', { tokenId, signature: 'AAAA' }, [form]],
  ['a signature that is too long', { tokenId, signature: `0x${'00'.repeat(8193)}` }, [tooLong]],
  [
    'a signature of seventeen thousand characters',
    { tokenId, signature: `0x${'0'.repeat(17_000)}z` },
    [tooLong],
  ],
  [
    'NUL in the signature',
    `{"tokenId":${tokenId},"signature":"0x00\\u0000"}`,
    ['signature must not contain NUL or unpaired surrogates'],
  ],
  ['several faults at once', { tokenId: 'x', signature: 'y' }, ['tokenId must be an integer number', form]],
])('rejects %s', async (_name, body, issues) => {
  expect(await listIssues(body)).toEqual(issues);
});

it.each(hostileBodies)('rejects %s', async (_name, body, issue) => {
  expect(await listIssues(body)).toEqual([issue]);
});

it.each(['7', '%00', '019a8f3e-7c00-7000-8000-00000000000', 'urn:uuid:019a8f3e-7c00-7000-8000-000000000001'])(
  'refuses the id %s',
  async (id) => {
    expect(await listIssues({ tokenId, signature }, id)).toEqual(['id must be a UUID']);
  },
);

it('names the faults of path and body together', async () => {
  expect(await listIssues({ tokenId, signature: 'y' }, '7')).toEqual(['id must be a UUID', form]);
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await holder.ask('PATCH', `/marketplace/nfts/sale/${sale.id}`, { body: tooLargeBody });
  expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
});
