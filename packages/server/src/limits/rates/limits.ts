import { definePolicy, type Policy } from '@keyfront/rate-limiter';

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
