import { ConflictError, ConnectionError, ForbiddenError, ServerError } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { isRefusal } from './use-idempotency-key.ts';

it('takes for a refusal only what says that nothing was done', () => {
  expect(isRefusal(new ForbiddenError('', { status: 403, code: 'REFUND_REFUSED' }))).toBe(true);
  for (const error of [
    new ConnectionError(''),
    new ServerError('', { status: 503, code: 'INTERNAL_ERROR' }),
    new ConflictError('', { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }),
    new Error('Something else'),
  ]) {
    expect(isRefusal(error)).toBe(false);
  }
});
