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
    print('>', [`${init?.method ?? 'GET'} ${input}`, ...listHeaders(new Headers(init?.headers))]);
    const response = await context.fetch(input, init);
    print('<', [`${response.status} ${response.statusText}`, ...listHeaders(response.headers)]);
    return response;
  };
}

/** Describes a signed payload: its length, its hash and its text. */
export function describePayload(payload: Uint8Array): string {
  const hash = createHash('sha256').update(payload).digest('hex');
  const text = toPlainText(Buffer.from(payload).toString());
  return `Canonical payload (${payload.length} bytes, SHA-256 ${hash}):\n${text}\n`;
}

function listHeaders(headers: Headers): string[] {
  return [...headers].map(
    ([name, value]) => `${name}: ${name === 'authorization' ? 'Bearer [hidden]' : value}`,
  );
}
