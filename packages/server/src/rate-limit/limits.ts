/** How much one caller may do: `quota` at once, and `quota` again in the course of each window. */
export interface Policy {
  /** As the caller reads it in `RateLimit-Policy`. */
  readonly name: string;
  readonly quota: number;
  readonly windowMs: number;
  /** After how long one unit of the quota comes back. */
  readonly intervalMs: number;
  /** Whether the callers that it counts are addresses or credentials. */
  readonly per: 'address' | 'credential';
}

const windowSeconds = 60;

/** The limits of the service, all of them over a minute: nobody should have to wait long after a mistake. */
export const limits = {
  // A storefront that renders on the server calls for all of its visitors with one key.
  credential: definePolicy('credential', 'credential', 3000),
  // Public routes, which are cheap. Offices and mobile networks share an address among many.
  address: definePolicy('address', 'address', 600),
  // Each nonce is a row that is kept for minutes, and an office does not sign in more often.
  nonce: definePolicy('nonce', 'address', 60),
  // The dearest of the public routes: it recovers a key, and may ask an Ethereum node about a smart wallet.
  signIn: definePolicy('signIn', 'address', 60),
  // Refused credentials. Enough to find a mistake in one's signing by trial, far too few to guess or to wear out a core.
  failure: definePolicy('failure', 'address', 120),
} as const satisfies Record<string, Policy>;

export type LimitName = keyof typeof limits;
export type Limits = Readonly<Record<LimitName, Policy>>;

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limits, name);
}

/** The same policy for one of several processes that cannot ask each other. */
export function shareOf(policy: Policy, processes: number): Policy {
  const quota = Math.max(1, Math.floor(policy.quota / processes));
  return { ...policy, quota, intervalMs: policy.windowMs / quota };
}

/** A policy over the window that all of them have. */
export function definePolicy(name: string, per: Policy['per'], quota: number): Policy {
  const windowMs = windowSeconds * 1000;
  return { name, per, quota, windowMs, intervalMs: windowMs / quota };
}
