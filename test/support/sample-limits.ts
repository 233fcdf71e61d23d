import { definePolicy } from '@keyfront/rate-limiter';
import type { Limits } from '../../packages/server/src/limits/rates/limits.ts';

/** Small round limits, so that the tests of counting do not change with what the service allows. */
export const sampleLimits: Limits = {
  credential: definePolicy('credential', 'credential', 600),
  address: definePolicy('address', 'address', 300),
  nonce: definePolicy('nonce', 'address', 20),
  signIn: definePolicy('signIn', 'address', 10),
  failure: definePolicy('failure', 'address', 30),
};
