/**
 * Headers of every response. The service sends data and no pages, except the reference with a policy of its own, so
 * browsers must not run, frame, sniff or store a response.
 */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Further headers of every response of a sandbox, by which a program tells it from the real service. */
export const sandboxHeaders: Readonly<Record<string, string>> = { 'keyfront-sandbox': 'on' };
