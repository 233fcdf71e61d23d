/** A rate limit: `quota` requests at once, which refill evenly over each window. */
export interface Policy {
  /** As callers read it in `RateLimit-Policy`. */
  readonly name: string;
  readonly quota: number;
  readonly windowMs: number;
  /** The time in which one unit of the quota refills. */
  readonly intervalMs: number;
  /** Whether requests are counted by address or by credential. */
  readonly per: 'address' | 'credential';
}

const windowSeconds = 60;

/** The limits of the service, all over one minute: after a mistake nobody waits long. */
export const limits = {
  // A storefront that renders on the server calls for all of its visitors with one key.
  credential: definePolicy('credential', 'credential', 3000),
  // Public routes are cheap. Offices and mobile networks share one address among many people.
  address: definePolicy('address', 'address', 600),
  // Each nonce is a row that is stored for minutes, and an office does not sign in more often.
  nonce: definePolicy('nonce', 'address', 60),
  // The most expensive public route: it recovers a key, and may ask an Ethereum node about a smart wallet.
  signIn: definePolicy('signIn', 'address', 60),
  // Invalid credentials. Enough to debug a signing program, too few to guess a key or to occupy a core.
  failure: definePolicy('failure', 'address', 120),
} as const satisfies Record<string, Policy>;

export type LimitName = keyof typeof limits;
export type Limits = Readonly<Record<LimitName, Policy>>;

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limits, name);
}

/** The policy of one of several processes that cannot communicate. */
export function divideQuota(policy: Policy, processes: number): Policy {
  const quota = Math.max(1, Math.floor(policy.quota / processes));
  return { ...policy, quota, intervalMs: policy.windowMs / quota };
}

/** A policy over the common window. */
export function definePolicy(name: string, per: Policy['per'], quota: number): Policy {
  const windowMs = windowSeconds * 1000;
  return { name, per, quota, windowMs, intervalMs: windowMs / quota };
}
