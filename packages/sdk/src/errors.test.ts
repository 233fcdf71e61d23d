import { expect, expectTypeOf, it } from 'vitest';
import * as errors from './errors.ts';

const details = {
  status: 403,
  code: 'CART_EMPTY',
  requestId: 'r-1',
  retryAfterMs: 7,
  docsUrl: 'https://shop.example/docs/guides/errors#CART_EMPTY',
};

const samples = [
  new errors.KeyfrontError('text', details),
  new errors.ValidationError(['text'], details),
  new errors.AuthenticationError('text', null, details),
  new errors.ForbiddenError('text', details),
  new errors.NotFoundError('text', details),
  new errors.ConflictError('text', details),
  new errors.RateLimitError('text', details),
  new errors.ServerError('text', details),
  new errors.ConnectionError('text', details),
];

it('has a sample of every error in this test', () => {
  expect(samples.map((error) => error.constructor.name).toSorted()).toEqual(Object.keys(errors).toSorted());
});

it.each(samples)('$name is a KeyfrontError with its own name and all details', (error) => {
  expect(error).toBeInstanceOf(errors.KeyfrontError);
  expect(error.name).toBe(error.constructor.name);
  expect(error).toMatchObject({ message: 'text', ...details });
  expect(String(error)).toBe(`${error.name}: text`);
});

it('has null for unknown details', () => {
  expect(new errors.ConnectionError('text')).toMatchObject({
    status: null,
    code: null,
    requestId: null,
    retryAfterMs: null,
    docsUrl: null,
  });
});

it('keeps the old name of the issues', () => {
  const error = new errors.ValidationError(['page must not be less than 1', 'take must be an integer']);
  expect(error.issues).toEqual(['page must not be less than 1', 'take must be an integer']);
  expect(error.sentences).toBe(error.issues);
});

it('completes known codes and accepts unknown ones', () => {
  expectTypeOf<'CART_EMPTY'>().toExtend<errors.KeyfrontErrorCode>();
  expectTypeOf<string>().toExtend<errors.KeyfrontErrorCode>();
});
