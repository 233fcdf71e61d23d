import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';
import { followEvents } from './events.server.ts';
import { keyfrontUrl } from './settings.server.ts';

// When the server starts.
followEvents();

/** Renders a page on the server. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  headers.set('content-type', 'text/html; charset=utf-8');
  // Pages differ by country, cart and customer.
  headers.set('cache-control', 'private, no-cache');
  headers.set('content-security-policy', contentSecurityPolicy(nonce));
  headers.set('referrer-policy', 'same-origin');
  headers.set('x-content-type-options', 'nosniff');
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        onAllReady() {
          const body = new PassThrough();
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
          pipe(body);
        },
        onShellError: reject,
        onError: (error) => console.error(error),
      },
    );
    request.signal.addEventListener('abort', () => abort());
  });
}

/** Only scripts of the shop run. Pictures come from the service, or from where its operator keeps them. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' https: ${new URL(keyfrontUrl).origin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No `form-action`: browsers also apply it to redirects, and forms lead to the pages of the providers.
  ].join('; ');
}
