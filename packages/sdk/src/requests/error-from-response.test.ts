import { expect, it } from 'vitest';
import { AuthenticationError } from '../errors.ts';
import { errorFromResponse } from './error-from-response.ts';

it.each([
  ['before', 'behind'],
  ['after', 'ahead of'],
])('says that the clock is wrong if a signature is from %s the time of the service', (side, direction) => {
  const reason = `created is 400 seconds ${side} the time of the service, which is 1900000000: at most 300 are accepted`;
  const header = `Signature realm="keyfront", error="invalid_signature", error_description="${reason}"`;
  const error = errorFromResponse({ message: 'User is not authorized', data: null }, header, { status: 401 });
  expect(error).toBeInstanceOf(AuthenticationError);
  expect((error as AuthenticationError).reason).toBe(
    `the clock of this machine is 400 seconds ${direction} that of the service: synchronize it, for example with NTP (${reason})`,
  );
});
