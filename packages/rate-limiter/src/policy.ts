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

/** A policy over one minute: after a mistake nobody waits long. */
export function definePolicy(name: string, per: Policy['per'], quota: number): Policy {
  const windowMs = windowSeconds * 1000;
  return { name, per, quota, windowMs, intervalMs: windowMs / quota };
}

/** The policy of one of several processes that cannot communicate. */
export function divideQuota(policy: Policy, processes: number): Policy {
  const quota = Math.max(1, Math.floor(policy.quota / processes));
  return { ...policy, quota, intervalMs: policy.windowMs / quota };
}
