import { ApiError } from '../api-error.ts';
import { addressKey } from './address-key.ts';
import type { Counter, Decision } from './counter.ts';
import { type LimitName, type Limits, limits, type Policy } from './limits.ts';

/** `RateLimit-Policy` and `RateLimit`, for the reply. Empty where the limits are off. */
export type RateLimitHeaders = Readonly<Record<string, string>>;

type Answer = RateLimitHeaders | Promise<RateLimitHeaders>;

/** What the guard and the routes ask. Each of them counts one request, or throws the 429. */
export interface RateLimits {
  /** An authenticated request. */
  takeCredential(credentialId: string): Answer;
  /** A request to a public route. */
  takeAddress(address: string): Answer;
  /** A credential that was refused. */
  takeFailure(address: string): Answer;
  /** Any limit by its name; the caller is an address or a credential, as the limit has it. */
  take(name: LimitName, caller: string): Answer;
  /** Throws the 429 to an address whose failures are used up. Counts nothing: it comes before any arithmetic. */
  checkFailures(address: string): void;
}

interface RateLimitsOptions {
  readonly counter: Counter;
  readonly enabled: boolean;
  readonly policies?: Limits;
}

export function createRateLimits({ counter, enabled, policies = limits }: RateLimitsOptions): RateLimits {
  const take = enabled
    ? (name: LimitName, caller: string): Answer => {
        const policy = policies[name];
        const decision = counter.take(policy, policy.per === 'address' ? addressKey(caller) : caller);
        return decision instanceof Promise
          ? decision.then((settled) => toHeaders(policy, settled))
          : toHeaders(policy, decision);
      }
    : () => noHeaders;
  return {
    take,
    takeCredential: (credentialId) => take('credential', credentialId),
    takeAddress: (address) => take('address', address),
    takeFailure: (address) => take('failure', address),
    checkFailures: (address) => {
      const refusal = enabled ? counter.isUsedUp(policies.failure, addressKey(address)) : null;
      if (refusal) throw tooManyRequests(policies.failure, refusal);
    },
  };
}

const noHeaders: RateLimitHeaders = Object.freeze({});

function toHeaders(policy: Policy, decision: Decision): RateLimitHeaders {
  if (!decision.isAdmitted) throw tooManyRequests(policy, decision);
  return limitHeaders(policy, decision);
}

/** draft-ietf-httpapi-ratelimit-headers: `r` is what is left, `t` the seconds until there is more. */
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
  });
}

function wholeSeconds({ waitMs }: Decision): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
