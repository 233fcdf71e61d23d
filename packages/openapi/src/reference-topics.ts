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
A request is signed with an API key, in one of two forms. Use the bound form for new storefronts: a captured request of it can be
neither changed nor repeated.

- The [bound form](guides/signing.md#bound-signatures) (RFC 9421) covers the method, the address, the body and the time. It is sent in
  \`Signature-Input\` and \`Signature\`.
- The [simple form](guides/signing.md) covers only the body, or the query. It is sent in \`x-auth-apikey\` and \`x-auth-signature\`.

Both are ECDSA on secp256k1 over SHA-256. Operations that accept a JWT take \`authorization: Bearer …\` instead.

The SDK and the command line sign in the bound form, and so do the curl samples, which use OpenSSL. They read the two keys, as
\`POST /keys\` returns them, from \`KEYFRONT_API_KEY\` and \`KEYFRONT_SECRET_KEY\`, and a JWT from \`KEYFRONT_TOKEN\`.
[Signing in](guides/sign-in.md) shows how to get all three. The [signing guide](guides/signing.md) has programs in five languages and
explains each 401.

\`\`\`text The text that a bound signature signs
"@method": POST
"@target-uri": https://shop.example/api/v1/dapp/orders
"content-digest": sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:
"@signature-params": ("@method" "@target-uri" "content-digest");created=1794800000;keyid="9f86d081…";nonce="5f2b8a4c9e1d7036"
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
