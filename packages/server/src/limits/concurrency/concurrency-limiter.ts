import { FairQueue, type FairQueueOptions } from '@keyfront/fair-queue';
import { ApiError } from '../../lib/errors/api-error.ts';
import { ClientDisconnected } from '../../lib/request/client-connection.ts';

export interface ConcurrencyLimiterOptions extends FairQueueOptions {
  /** The name of the limit in `RateLimit-Policy`. */
  readonly name: string;
}

// Created once: an overloaded service throws them thousands of times a second.
const overloaded = new ApiError('OVERLOADED', { headers: { 'retry-after': '1' } });
const disconnected = new ClientDisconnected();

/** Limits how many requests are handled at a time, and tells callers who are rejected why. */
export class ConcurrencyLimiter extends FairQueue {
  constructor({ name, ...options }: ConcurrencyLimiterOptions) {
    const callerLimited = createCallerLimited(name, options.maxConcurrentPerCaller ?? options.maxConcurrent);
    super(options, { overloaded, callerLimited, disconnected });
  }
}

/** draft-ietf-httpapi-ratelimit-headers: the unit of the quota is concurrent requests, so there is no window. */
function createCallerLimited(name: string, quota: number): ApiError {
  return new ApiError('CONCURRENCY_LIMITED', {
    headers: {
      'retry-after': '1',
      'ratelimit-policy': `"${name}";q=${quota};qu="concurrent-requests"`,
      ratelimit: `"${name}";r=0;t=1`,
    },
  });
}
