import type { Topic } from '@keyfront/api-reference';
import { failure, success } from '@keyfront/protocol';

const toJson = (value: unknown) => JSON.stringify(value, null, 2);

/** What holds for every operation of Keyfront. Links to guides are resolved by the reference. */
export const referenceTopics: readonly Topic[] = [
  {
    id: 'topic-responses',
    title: 'Responses',
    markdown: `
Every JSON response has the same envelope: \`success\`, \`statusCode\` (which mirrors the HTTP status), \`message\` and
\`data\`. The tables below describe what is in \`data\`.

An error has a stable \`code\` for programs and a \`message\` for people. Its \`data\` is \`null\`, except after a failed
validation, where it lists every violated rule. The [error guide](guides/errors.md) explains each code.

Every response carries \`x-request-id\`. Quote it when you report a problem.

\`\`\`json Success
${toJson(success(200, {}))}
\`\`\`

\`\`\`json Failed validation
${toJson(failure('VALIDATION_FAILED', undefined, ['page must not be less than 1']))}
\`\`\`
`,
  },
  {
    id: 'topic-signing',
    title: 'Signing requests',
    markdown: `
A signed request carries the public key of an API key in \`x-auth-apikey\` and a signature of its payload in
\`x-auth-signature\`. The payload is

- the body of a \`POST\`, \`PATCH\` or \`PUT\`, byte for byte
- the query string of a \`GET\` or \`DELETE\`, as it is sent and without its \`?\`
- \`{}\` where the request has neither

The signature is ECDSA on secp256k1 over SHA-256, in Base64. Operations that accept a JWT take
\`authorization: Bearer …\` instead.

A [bound signature](guides/signing.md#bound-signatures), in \`Signature-Input\` and \`Signature\`, also covers the method, the address
and the time. Choose it for new storefronts.

The curl samples on this page sign with OpenSSL. They read the two keys, as \`POST /keys\` returns them, from
\`KEYFRONT_API_KEY\` and \`KEYFRONT_SECRET_KEY\`, and a JWT from \`KEYFRONT_TOKEN\`. [Signing in](guides/sign-in.md) shows
how to get all three. The [signing guide](guides/signing.md) has programs in five languages and explains each 401.

\`\`\`bash Sign with OpenSSL
payload='page=1&take=10'
signature=$(printf '%s' "$payload" |
  openssl dgst -sha256 -sign <(
    printf '%s' "$KEYFRONT_SECRET_KEY" | openssl base64 -d -A
  ) |
  openssl base64 -A)
\`\`\`
`,
  },
  {
    id: 'topic-retries',
    title: 'Retries',
    markdown: `
Send an \`Idempotency-Key\` with a \`POST\`, and it is safe to send the same request again after a timeout or a 5xx
status: the work is done once, and the second response repeats the first with \`Idempotent-Replayed: true\`. A key counts
for 24 hours. Operations without this parameter ignore it.

After a 429 or 503, wait for the number of seconds in \`Retry-After\`. \`RateLimit\` and \`RateLimit-Policy\` tell how many
requests are left; the numbers are in [Rate limits](guides/rate-limits.md). The SDK does all of this by itself. See
[retries done right](guides/orders.md#retries-done-right).
`,
  },
];
