import { failure, success } from '@keyfront/protocol';
import type { OpenApiDocument } from './openapi-document.ts';

const versionPrefix = '/api/v1';

import { codePanel, colouredJson, colouredShell } from './code-panel.ts';
import { type Html, html } from './html.ts';
import { textAt } from './json-schema.ts';
import { inlineProse, prose } from './prose.ts';

/** The parts before the operations, for the navigation. */
export const introductionParts = [
  { id: 'page-base', title: 'Base address' },
  { id: 'page-envelope', title: 'The envelope' },
  { id: 'page-signing', title: 'Signing a request' },
] as const;

const [base, envelope, signing] = introductionParts;

/** What holds for every operation. */
export function introduction(document: OpenApiDocument): Html {
  return html`<header class="title">
<h1>${textAt(document.info, 'title')} <span class="version">${textAt(document.info, 'version')}</span></h1>
<p class="tagline">${textAt(document.info, 'summary')}</p>
</header>
${baseAddress(document)}
${envelopeExplained()}
${signingExplained()}`;
}

function baseAddress({ info, servers }: OpenApiDocument): Html {
  return html`<section class="topic" id="${base.id}">
<h2>${base.title}</h2>
<div class="columns">
<div class="text">
${prose(textAt(info, 'description'))}
<p>The same reference for machines, as OpenAPI 3.1:
<a href="${versionPrefix}/openapi.json">openapi.json</a></p>
</div>
<div class="code">
<dl class="servers">${servers.map(
    ({ url, description }) => html`
<div><dt>${description}</dt><dd><code>${url}</code></dd></div>`,
  )}
</dl>
</div>
</div>
</section>`;
}

const envelopeLines = [
  'Every answer is an object of `success`, `statusCode` (which mirrors the HTTP status), `message` and `data`.',
  'A success carries what was asked for in `data`; an error says in `message` what is wrong, and its `data` ' +
    'is `null`.',
  'Only a failed validation has `data` too: one sentence for each violated rule, all of them at once.',
];

function envelopeExplained(): Html {
  return html`<section class="topic" id="${envelope.id}">
<h2>${envelope.title}</h2>
<div class="columns">
<div class="text">
${lines(envelopeLines)}
</div>
<div class="code">
${codePanel({ title: 'Success', label: 'The envelope of a success', code: colouredJson(success(200, {})) })}
${codePanel({
  title: 'Failed validation',
  label: 'The envelope of a failed validation',
  code: colouredJson(
    failure('VALIDATION_FAILED', undefined, ['page must not be less than 1', 'email must be an email']),
  ),
})}
</div>
</div>
</section>`;
}

const signingLines = [
  'The payload is the body of a `POST`, `PATCH` or `PUT`, byte for byte; the query string of a `GET` or ' +
    '`DELETE`, without its `?`; and `{}` where there is neither.',
  'Sign it with the secret key: ECDSA on secp256k1 over SHA-256, the signature in Base64.',
  'Send the public key as `x-auth-apikey` and the signature as `x-auth-signature`. Where a JWT is accepted, ' +
    '`authorization: Bearer …` does instead.',
];

// The secret key is handed out as Base64 of its PEM; OpenSSL writes the DER signature that the service expects.
const signingCommand = `echo "$SECRET_KEY" | openssl base64 -d -A > key.pem

PAYLOAD='page=1&take=10'   # the query string,
                           # the body, or {}
SIGNATURE=$(printf %s "$PAYLOAD" \\
  | openssl dgst -sha256 -sign key.pem \\
  | openssl base64 -A)`;

function signingExplained(): Html {
  return html`<section class="topic" id="${signing.id}">
<h2>${signing.title}</h2>
<div class="columns">
<div class="text">
${lines(signingLines)}
</div>
<div class="code">
${codePanel({
  title: 'Sign with OpenSSL',
  label: 'How to sign a payload with OpenSSL',
  code: colouredShell(signingCommand),
  isWrapped: true,
})}
</div>
</div>
</section>`;
}

function lines(sentences: readonly string[]): Html {
  return html`<ul class="lines">${sentences.map(
    (sentence) => html`
<li>${inlineProse(sentence)}</li>`,
  )}
</ul>`;
}
