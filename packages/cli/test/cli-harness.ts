import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Context } from '../src/context.ts';
import { apiKeyOf, encodeSecretKey } from '../src/credentials/key-pair.ts';
import { run } from '../src/main.ts';

export interface SentRequest {
  readonly method: string;
  /** Path and query after `/api/v1`. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}

export type Respond = (request: SentRequest) => Response | Promise<Response>;

export interface HarnessOptions {
  /** Without it, the environment holds the credentials of an API key. */
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Makes stdout and stderr a terminal of this width. */
  readonly terminalWidth?: number;
  readonly isInteractive?: boolean;
  readonly respond?: Respond;
  /** Error of every write to stdout. */
  readonly stdoutError?: Error;
  readonly now?: Date;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in a context that is in memory, except for files in a temporary folder. */
export interface CliHarness {
  readonly context: Context;
  readonly folder: string;
  readonly requests: readonly SentRequest[];
  run(...args: string[]): Promise<RunResult>;
  interrupt(): void;
}

/** Generates a key pair as `demo.json` holds it. */
export function makeKeyPair(): { apiKey: string; secretKey: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return { apiKey: apiKeyOf(privateKey), secretKey: encodeSecretKey(privateKey) };
}

/** A token with the claims of a Keyfront token and an invalid signature. */
export function makeToken(claims: { role: 'holder' | 'administrator'; exp: number; sub?: string }): string {
  const payload = { sub: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f', ...claims };
  return `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
}

/** A success envelope. */
export function success(data: unknown, statusCode = 200, headers: Record<string, string> = {}): Response {
  return Response.json(
    { success: true, statusCode, message: 'Success', data },
    { status: statusCode, headers },
  );
}

/** An error envelope. */
export function failure(
  statusCode: number,
  message: string,
  { data = null, reason, code }: { data?: string[] | null; reason?: string; code?: string } = {},
): Response {
  const headers: Record<string, string> = reason
    ? { 'www-authenticate': `Signature realm="keyfront", error="x", error_description="${reason}"` }
    : {};
  return Response.json({ success: false, statusCode, message, data, code }, { status: statusCode, headers });
}

export const baseUrl = 'http://keyfront.test/api/v1';

/** The environment of a command that an administrator runs. */
export const administrator = {
  KEYFRONT_URL: baseUrl,
  KEYFRONT_TOKEN: makeToken({ role: 'administrator', exp: 4_000_000_000 }),
};

export function createHarness(options: HarnessOptions = {}): CliHarness {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { apiKey, secretKey } = makeKeyPair();
  const env = options.env ?? {
    KEYFRONT_URL: baseUrl,
    KEYFRONT_API_KEY: apiKey,
    KEYFRONT_SECRET_KEY: secretKey,
  };
  const requests: SentRequest[] = [];
  const interruption = new AbortController();
  const createOutput = (error?: Error) =>
    Object.assign(
      new PassThrough(error && { write: (_chunk, _encoding, callback) => callback(error) }),
      options.terminalWidth === undefined ? {} : { isTTY: true, columns: options.terminalWidth },
    );
  const createInput = () =>
    Object.assign(
      Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
      options.isInteractive ? { isTTY: true } : {},
    );
  const fetch: Context['fetch'] = async (input, init) => {
    const request: SentRequest = {
      method: init?.method ?? 'GET',
      target: String(input).replace(/^.*?\/api\/v1/, ''),
      headers: new Headers(init?.headers),
      body: await new Response(init?.body ?? null).text(),
    };
    requests.push(request);
    return options.respond?.(request) ?? success(null);
  };
  const createContext = (): { context: Context; stdout: PassThrough; stderr: PassThrough } => {
    const [stdout, stderr] = [createOutput(options.stdoutError), createOutput()];
    const context: Context = {
      env: { KEYFRONT_CONFIG: join(folder, 'config', 'profiles.json'), ...env },
      stdin: createInput(),
      stdout,
      stderr,
      fetch,
      now: () => options.now ?? new Date(),
      signal: interruption.signal,
    };
    return { context, stdout, stderr };
  };
  return {
    context: createContext().context,
    folder,
    requests,
    run: async (...args) => {
      const { context, stdout, stderr } = createContext();
      const collect = (stream: PassThrough) => {
        let text = '';
        stream.on('data', (chunk) => {
          text += chunk;
        });
        return () => text;
      };
      const [readStdout, readStderr] = [collect(stdout), collect(stderr)];
      const code = await run(args, context);
      // The last write reaches the reader in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      return { code, stdout: readStdout(), stderr: readStderr() };
    },
    interrupt: () => interruption.abort('SIGINT'),
  };
}
