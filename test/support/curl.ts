import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface CurlAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body as JSON. */
  readonly json: unknown;
}

/** Sends a request with curl, so that the test sees the bytes on the wire and not the view of a library of ours. */
export async function curl(...args: string[]): Promise<CurlAnswer> {
  const { stdout } = await run(
    'curl',
    ['--silent', '--show-error', '--include', '--max-time', '120', ...args],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  let rest = stdout;
  let head = '';
  do {
    const end = rest.indexOf('\r\n\r\n');
    head = rest.slice(0, end);
    rest = rest.slice(end + 4);
  } while (/^HTTP\/1\.1 100/.test(head));
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const text = rest;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    get json(): unknown {
      return JSON.parse(text);
    },
  };
}
