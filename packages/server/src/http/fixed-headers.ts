/** The headers of every response of one service. */
export type FixedHeaders = Readonly<Record<string, string>>;

/**
 * Headers of every response. The service sends data and no pages, except the reference with a policy of its own, so
 * browsers must not run, frame, sniff or store a response.
 */
export const fixedHeaders: FixedHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Further headers of every response of a sandbox, by which a program tells it from the real service. */
export const sandboxHeaders: FixedHeaders = { 'keyfront-sandbox': 'on' };
