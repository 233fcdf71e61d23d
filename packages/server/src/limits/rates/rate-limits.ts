import { addressKey, type Counter, type Decision, type Policy } from '@keyfront/rate-limiter';
import { ApiError } from '../../lib/errors/api-error.ts';
import { type LimitName, type Limits, limits } from './limits.ts';

/** `RateLimit-Policy` and `RateLimit`, for the response. Empty while rate limits are off. */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/** The rate limits as the guard and the routes use them. Each `take` counts one request or throws the 429. */
export interface RateLimits {
  /** An authenticated request. */
  takeCredential(credentialId: string): Promise<RateLimitHeaders>;
  /** An invalid credential. */
  takeFailure(address: string): Promise<RateLimitHeaders>;
  /** Any limit by its name. The caller is an address or a credential, depending on the limit. */
  take(name: LimitName, caller: string): Promise<RateLimitHeaders>;
  /**
   * Returns the 429 for the next invalid credential of an address that has sent too many of them, otherwise null. Counts
   * nothing. A valid credential must not be rejected for it: others may share the address.
   */
  findFailureRejection(address: string): ApiError | null;
}

interface RateLimitsOptions {
  readonly counter: Counter;
  readonly enabled: boolean;
  readonly policies?: Limits;
}

export function createRateLimits({ counter, enabled, policies = limits }: RateLimitsOptions): RateLimits {
  const take = enabled
    ? async (name: LimitName, caller: string): Promise<RateLimitHeaders> => {
        const policy = policies[name];
        return toHeaders(
          policy,
          await counter.take(policy, policy.per === 'address' ? addressKey(caller) : caller),
        );
      }
    : async () => noHeaders;
  return {
    take,
    takeCredential: (credentialId) => take('credential', credentialId),
    takeFailure: (address) => take('failure', address),
    findFailureRejection: (address) => {
      const rejection = enabled ? counter.peekRejection(policies.failure, addressKey(address)) : null;
      return rejection && tooManyRequests(policies.failure, rejection);
    },
  };
}

const noHeaders: RateLimitHeaders = Object.freeze({});

function toHeaders(policy: Policy, decision: Decision): RateLimitHeaders {
  if (!decision.isAdmitted) throw tooManyRequests(policy, decision);
  return limitHeaders(policy, decision);
}

/** draft-ietf-httpapi-ratelimit-headers: `r` is the quota that is left, `t` the seconds until it has one more unit. */
function limitHeaders({ name, quota, windowMs }: Policy, decision: Decision): RateLimitHeaders {
  return {
    'ratelimit-policy': `"${name}";q=${quota};w=${windowMs / 1000}`,
    ratelimit: `"${name}";r=${decision.remaining};t=${wholeSeconds(decision)}`,
  };
}

function tooManyRequests(policy: Policy, decision: Decision): ApiError {
  const seconds = wholeSeconds(decision);
  return new ApiError('RATE_LIMITED', {
    message: `Too many requests: try again after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
    headers: { ...limitHeaders(policy, decision), 'retry-after': String(seconds) },
    // An invalid credential is an event of the security log, too. Nobody knows whose it is.
    ...(policy.name === 'failure' && { actor: {} }),
  });
}

function wholeSeconds({ waitMs }: Decision): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
