import { createHash } from 'node:crypto';
import type { Context } from './context.ts';
import { styleFor, toPlainText } from './terminal/style.ts';

/** A `fetch` that prints each request and response on stderr. Bearer tokens are secret; signatures are not. */
export function traceRequests(context: Context): typeof globalThis.fetch {
  const style = styleFor(context.stderr, context.env);
  const print = (mark: string, lines: readonly string[]) => {
    for (const line of lines) context.stderr.write(`${style.dim(mark)} ${toPlainText(line)}\n`);
  };
  return async (input, init) => {
    const { method = 'GET' } = init ?? {};
    const headers = new Headers(init?.headers);
    const signed = findSignedText(method, String(input), headers, init?.body);
    if (signed) context.stderr.write(describeSigned(signed));
    print('>', [`${method} ${input}`, ...listHeaders(headers)]);
    const response = await context.fetch(input, init);
    print('<', [`${response.status} ${response.statusText}`, ...listHeaders(response.headers)]);
    return response;
  };
}

interface SignedText {
  readonly name: 'Canonical payload' | 'Signature base';
  readonly bytes: Buffer;
}

/** What the signature of a request covers. Null if the request has none. */
function findSignedText(method: string, url: string, headers: Headers, body: unknown): SignedText | null {
  const input = headers.get('signature-input');
  if (input !== null) {
    const params = input.slice(input.indexOf('=') + 1);
    const digest = headers.get('content-digest');
    const lines = [
      `"@method": ${method}`,
      `"@target-uri": ${url}`,
      ...(digest === null ? [] : [`"content-digest": ${digest}`]),
      `"@signature-params": ${params}`,
    ];
    return { name: 'Signature base', bytes: Buffer.from(lines.join('\n')) };
  }
  if (!headers.has('x-auth-signature')) return null;
  const query = method === 'GET' || method === 'DELETE' ? new URL(url).search.slice(1) : '';
  const content = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(query);
  return { name: 'Canonical payload', bytes: content.length > 0 ? content : Buffer.from('{}') };
}

/** Describes a signed text: its length, its hash and the text. */
function describeSigned({ name, bytes }: SignedText): string {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return `${name} (${bytes.length} bytes, SHA-256 ${hash}):\n${bytes.toString().split('\n').map(toPlainText).join('\n')}\n`;
}

function listHeaders(headers: Headers): string[] {
  return [...headers].map(
    ([name, value]) => `${name}: ${name === 'authorization' ? 'Bearer [hidden]' : value}`,
  );
}
