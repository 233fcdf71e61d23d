import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Operation, operationList, operations } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSamples } from '../../packages/openapi/src/code-samples/describe-samples.ts';
import { type MakeCall, operationCalls } from '../support/operation-calls.ts';
import { samplePng } from '../support/sample-images.ts';
import { openSandbox, type Storefront } from '../support/storefront.ts';
import { testSecrets } from '../support/test-providers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let storefront: Storefront;
let base: string;
let calls: Record<string, MakeCall>;

beforeAll(async () => {
  storefront = await openSandbox();
  base = `${storefront.service.origin}/api/v1`;
  calls = await operationCalls(storefront, 1);
  folder = mkdtempSync(join(tmpdir(), 'keyfront-every-sample-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The operation with resources that exist in place of those of its example. */
async function withResources(operation: Operation): Promise<Operation> {
  const { id, otherParameters = {}, query, body } = (await calls[operation.id]?.()) ?? {};
  const [first = ''] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    ...operation,
    example: {
      response: operation.example.response,
      ...(id === undefined ? {} : { parameters: { [first]: id, ...otherParameters } }),
      ...(query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }),
      ...(operation.body && body ? { body: { ...body } } : {}),
    },
  };
}

/** A session that the sample may end. */
async function beginSession({ id, access }: Operation): Promise<string> {
  if (access === 'administrator') return storefront.admin.token;
  const { beginSession: begin } = id === 'endSessions' ? await storefront.addWallet() : storefront.holder;
  return begin();
}

/** A folder with the files that samples name, and the variables that they read. */
async function prepare(operation: Operation, name: string) {
  const cwd = join(folder, operation.id, name);
  mkdirSync(cwd, { recursive: true });
  const { holder } = storefront;
  const token = await beginSession(operation);
  const profiles = { wallet: { url: base, token }, admin: { url: base, token } };
  writeFileSync(join(cwd, 'profiles.json'), JSON.stringify({ profiles }));
  writeFileSync(join(cwd, 'wallet.txt'), holder.privateKey, { mode: 0o600 });
  writeFileSync(join(cwd, 'image.png'), await samplePng());
  const secretKey = holder.secretKey.export({ type: 'pkcs8', format: 'pem' });
  const env = {
    ...{ HOME: cwd, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
    ...{ KEYFRONT_TOKEN: token, KEYFRONT_CONFIG: join(cwd, 'profiles.json') },
    // On the command line, an API key in the environment is used in place of a profile.
    ...(operation.access === 'credential'
      ? {
          KEYFRONT_URL: base,
          KEYFRONT_API_KEY: holder.apiKey,
          KEYFRONT_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
        }
      : { KEYFRONT_URL: base }),
    ...{ KYC_CALLBACK_SECRET: testSecrets.KYC[0], PAYMENT_CALLBACK_SECRET: testSecrets.PAYMENT[0] },
  };
  return { cwd, env };
}

/** Starts a sample as a reader would: commands pasted into Bash, programs in a file. */
async function start(operation: Operation, label: string, source: string) {
  const { cwd, env } = await prepare(operation, label);
  const isProgram = label === 'SDK' || label === 'Node.js';
  if (isProgram) writeFileSync(join(cwd, 'sample.mjs'), source);
  const shell = spawn('bash', ['--norc', '-o', 'history', '-o', 'histexpand'], {
    cwd,
    env,
    stdio: 'pipe',
    // A group of its own, so that it can be ended with its programs.
    detached: true,
  });
  shell.stdin.end(isProgram ? 'node sample.mjs\n' : `${source}\n`);
  return shell;
}

async function run(operation: Operation, label: string, source: string): Promise<string> {
  const shell = await start(operation, label, source);
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  const [output, errors, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (status !== 0)
    throw new Error(`${label} of ${operation.id} ended with ${status}:\n${source}\n${errors}${output}`);
  return output;
}

/** What a response looks like in the output of a sample. */
function expectSuccess({ id, page }: Operation, label: string, output: string): void {
  if (label === 'Node.js') expect([id, label, output]).toEqual([id, label, expect.stringMatching(/^200 /)]);
  if (label !== 'curl') return;
  if (page) expect(output).toMatch(/^<!doctype html>/i);
  else expect([id, JSON.parse(output)]).toEqual([id, expect.objectContaining({ success: true })]);
}

describe('every sample of the reference succeeds', () => {
  it.each(['curl', 'SDK', 'CLI'])('streamEvents until an event comes: %s', async (label) => {
    const operation = operations.streamEvents;
    const sample = describeSamples(operation, base).find((each) => each.label === label);
    const shell = await start(operation, label, sample?.source ?? '');
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    // The sample may not be connected yet when the first order is placed.
    await expect
      .poll(
        async () => {
          const { body } = (await calls.createOrder?.()) ?? {};
          await storefront.holder.ask('POST', '/dapp/orders', { body });
          return output;
        },
        { timeout: 60_000 },
      )
      .toContain('order.created');
    process.kill(-(shell.pid ?? 0), 'SIGTERM');
    await once(shell, 'close');
  });

  it.each(
    operationList.filter(({ stream }) => !stream).map((operation) => [operation.id, operation] as const),
  )('%s', async (_id, operation) => {
    const labels = describeSamples(operation, base).map(({ label = '' }) => label);
    const isUnknown = operation.id === 'getPackingSlip';
    const expected = operation.access === 'provider' ? ['Node.js'] : ['curl', 'SDK', 'CLI'];
    expect(labels).toEqual(isUnknown ? ['curl', 'SDK'] : expected);
    for (const label of labels) {
      // New resources for each: the first sample may have used up its own.
      const sample = describeSamples(await withResources(operation), base).find(
        (each) => each.label === label,
      );
      expectSuccess(operation, label, await run(operation, label, sample?.source ?? ''));
    }
  });
});
