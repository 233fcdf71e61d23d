import { expect, it } from 'vitest';
import { hostilePages } from '../../support/hostile-requests.ts';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

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
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: [issue],
  });
});

it('reports all validation issues at once', async () => {
  const reply = await holder.ask('GET', '/dapp/strains?page=0&take=x&countryCode=1');
  expect(reply.envelope.data).toEqual([
    'page must not be less than 1',
    'take must be an integer number',
    country,
  ]);
});
