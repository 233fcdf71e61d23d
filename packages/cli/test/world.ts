import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Cli } from '../src/cli.ts';
import type { Order } from '../src/files/order.ts';
import { run } from '../src/main.ts';
import { apiKeyOf, encodeSecretKey } from '../src/settings/key-pair.ts';

export interface SentRequest {
  readonly method: string;
  /** With the query, after `/api/v1`. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface WorldOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** Whether all streams are those of a terminal, of this width. */
  readonly terminalWidth?: number;
  readonly answer?: (request: SentRequest) => Response | Promise<Response>;
  readonly now?: Date;
}

/** Everything around a command, in memory but for the files of a folder of its own. */
export interface World {
  readonly cli: Cli;
  readonly folder: string;
  readonly requests: readonly SentRequest[];
  /** Runs a command; gives its exit code and what it wrote. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  interrupt(): void;
}

/** A pair of the demo's kind. */
export function makePair(): { apiKey: string; secretKey: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return { apiKey: apiKeyOf(privateKey), secretKey: encodeSecretKey(privateKey) };
}

/** A token that says what one of the service says, and that nobody signed. */
export function makeToken(claims: { role: 'holder' | 'administrator'; exp: number; sub?: string }): string {
  const payload = { sub: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f', ...claims };
  return `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
}

/** A success in the envelope. */
export function success(data: unknown, statusCode = 200, headers: Record<string, string> = {}): Response {
  return Response.json(
    { success: true, statusCode, message: 'Success', data },
    { status: statusCode, headers },
  );
}

/** A failure in the envelope. */
export function failure(
  statusCode: number,
  message: string,
  { data = null, reason }: { data?: string[] | null; reason?: string } = {},
): Response {
  const headers: Record<string, string> = reason
    ? { 'www-authenticate': `Signature realm="keyfront", error="x", error_description="${reason}"` }
    : {};
  return Response.json({ success: false, statusCode, message, data }, { status: statusCode, headers });
}

export const address = 'http://keyfront.test/api/v1';

/** Opens a world for one test. Without an `env`, it holds the credentials of a key. */
export function openWorld(options: WorldOptions = {}): World {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { apiKey, secretKey } = makePair();
  const env = options.env ?? {
    KEYFRONT_URL: address,
    KEYFRONT_API_KEY: apiKey,
    KEYFRONT_SECRET_KEY: secretKey,
  };
  const requests: SentRequest[] = [];
  const interruption = new AbortController();
  const stream = () =>
    Object.assign(
      new PassThrough(),
      options.terminalWidth === undefined ? {} : { isTTY: true, columns: options.terminalWidth },
    );
  const fetch: Cli['fetch'] = async (input, init) => {
    const request: SentRequest = {
      method: init?.method ?? 'GET',
      target: String(input).replace(/^.*?\/api\/v1/, ''),
      headers: new Headers(init?.headers),
      body: await new Response(init?.body ?? null).text(),
    };
    requests.push(request);
    return options.answer?.(request) ?? success(null);
  };
  const world = (): { cli: Cli; output: PassThrough; errors: PassThrough } => {
    const [output, errors] = [stream(), stream()];
    const cli: Cli = {
      env: { KEYFRONT_CONFIG: join(folder, 'config', 'profiles.json'), ...env },
      input: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
      output,
      errors,
      fetch,
      now: () => options.now ?? new Date(),
      signal: interruption.signal,
    };
    return { cli, output, errors };
  };
  return {
    cli: world().cli,
    folder,
    requests,
    run: async (...args) => {
      const { cli, output, errors } = world();
      const read = (from: PassThrough) => {
        let text = '';
        from.on('data', (chunk) => {
          text += chunk;
        });
        return () => text;
      };
      const [readOutput, readErrors] = [read(output), read(errors)];
      const code = await run(args, cli);
      // What was written last is read by now.
      await new Promise((resolve) => setImmediate(resolve));
      return { code, stdout: readOutput(), stderr: readErrors() };
    },
    interrupt: () => interruption.abort('SIGINT'),
  };
}

/** An order as an export has it. */
export function makeOrder(number: number): Order {
  return {
    id: `019a8f3e-7c00-7000-8000-${String(number).padStart(12, '0')}`,
    invoiceNumber: `KF-${number}`,
    orderStatus: 'PENDING',
    paymentStatus: 'COMPLETED',
    adminApproval: 'VERIFIED',
    totalAmount: '999999999999.99',
    totalQuantity: number,
    currency: 'EUR',
    createdAt: '2026-11-15T09:30:00.000Z',
    updatedAt: '2026-11-15T09:31:00.000Z',
    client: {
      id: '019a8f3e-7c00-7000-8000-000000000301',
      firstName: '=1+1 & <b>',
      lastName: 'Example',
      email: 'ada@example.org',
    },
    nft: { tokenId: 1001 },
  };
}
