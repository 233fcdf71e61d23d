import { describe, expect, it } from 'vitest';
import { ConflictError, ConnectionError, KeyfrontError, RateLimitError, ServerError } from '../errors.ts';
import { isRetryable } from './is-retryable.ts';

const withStatus = (status: number) => new KeyfrontError('text', { status });
const inUse = new ConflictError('text', { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' });
const overloaded = new ServerError('text', { status: 503, code: 'OVERLOADED' });

describe('a request that may be repeated', () => {
  it.each([408, 429, 500, 502, 503, 504])('is retried after %d', (status) => {
    expect(isRetryable(withStatus(status), true)).toBe(true);
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 422, 501])('is not retried after %d', (status) => {
    expect(isRetryable(withStatus(status), true)).toBe(false);
  });

  it('is retried after a connection error', () => {
    expect(isRetryable(new ConnectionError('text'), true)).toBe(true);
  });

  it('is retried while the first request with its key is running, but not after another conflict', () => {
    expect(isRetryable(inUse, true)).toBe(true);
    expect(isRetryable(new ConflictError('text', { status: 409, code: 'EMAIL_TAKEN' }), true)).toBe(false);
  });

  it('is not retried after an error of the program', () => {
    expect(isRetryable(new TypeError('text'), true)).toBe(false);
  });
});

describe('a request that must not be repeated', () => {
  it.each([new ConnectionError('text'), withStatus(500), withStatus(503), inUse])(
    'is not retried: %#',
    (error) => {
      expect(isRetryable(error, false)).toBe(false);
    },
  );

  it.each([new RateLimitError('text', { status: 429 }), overloaded])(
    'is retried if the service rejected it before it started: %#',
    (error) => {
      expect(isRetryable(error, false)).toBe(true);
    },
  );
});
