import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as errors from './errors.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { guides: _guides, ...classes } = errors;

const samples = [
  new errors.KeyfrontError('text'),
  new errors.ValidationError(['text']),
  new errors.AuthenticationError('text', null),
  new errors.ForbiddenError('text'),
  new errors.NotFoundError('text'),
  new errors.ConflictError('text'),
  new errors.RateLimitError('text'),
  new errors.ServerError('text'),
  new errors.ConnectionError('text'),
];

it('has a sample of every error here', () => {
  expect(samples.map((error) => error.constructor.name).toSorted()).toEqual(Object.keys(classes).toSorted());
});

it.each(samples)('$name is a KeyfrontError with its own name', (error) => {
  expect(error).toBeInstanceOf(errors.KeyfrontError);
  expect(error.name).toBe(error.constructor.name);
  expect([error.message, error.status, error.requestId, error.retryAfterMs]).toEqual([
    'text',
    null,
    null,
    null,
  ]);
  expect(String(error)).toBe(`${error.name}: text`);
});

it.each(samples)('$name points to a page that is there', ({ docsUrl }) => {
  const [file = '', anchor] = docsUrl.split('#');
  const headings = readFileSync(`${root}/${file}`, 'utf8')
    .match(/^#+ .+$/gm)
    ?.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'));
  expect(headings).toContain(anchor ?? headings?.[0]);
});
