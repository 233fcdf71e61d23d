import { createHash } from 'node:crypto';
import type { Cli } from './cli.ts';
import { styleFor, toPlainText } from './terminal/style.ts';

/** A `fetch` that shows on stderr what goes out and comes back. A token is a secret, a signature is not kept one here. */
export function traceFetch(cli: Cli): typeof globalThis.fetch {
  const style = styleFor(cli.errors, cli.env);
  const show = (mark: string, lines: readonly string[]) => {
    for (const line of lines) cli.errors.write(`${style.dim(mark)} ${toPlainText(line)}\n`);
  };
  return async (input, init) => {
    show('>', [`${init?.method ?? 'GET'} ${input}`, ...listHeaders(new Headers(init?.headers))]);
    const response = await cli.fetch(input, init);
    show('<', [`${response.status} ${response.statusText}`, ...listHeaders(response.headers)]);
    return response;
  };
}

/** What a signature covers: its text, its length and its hash. */
export function describePayload(payload: Uint8Array): string {
  const hash = createHash('sha256').update(payload).digest('hex');
  const text = toPlainText(Buffer.from(payload).toString());
  return `Canonical payload (${payload.length} bytes, SHA-256 ${hash}):\n${text}\n`;
}

function listHeaders(headers: Headers): string[] {
  return [...headers].map(
    ([name, value]) => `${name}: ${name === 'authorization' ? 'Bearer (not shown)' : value}`,
  );
}
