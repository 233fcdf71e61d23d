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
import { isHolder } from '../support/operation-requests.ts';
import { samplePng } from '../support/sample-images.ts';
import { openSandbox, type Storefront, type TestHolder } from '../support/storefront.ts';
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

interface PreparedOperation {
  readonly operation: Operation;
  readonly caller: TestHolder;
}

/** The operation with resources that exist in place of those of its example, and whose they are. */
async function withResources(operation: Operation): Promise<PreparedOperation> {
  const { id, otherParameters = {}, query, body, caller } = (await calls[operation.id]?.()) ?? {};
  const [first = ''] = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const example = {
    response: operation.example.response,
    ...(id === undefined ? {} : { parameters: { [first]: id, ...otherParameters } }),
    ...(query === undefined ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }),
    ...(operation.body && body ? { body: { ...body } } : {}),
  };
  // A sample begins a session of its own.
  return {
    operation: { ...operation, example },
    caller: caller && isHolder(caller) ? caller : storefront.holder,
  };
}

/** A session that the sample may end. */
async function beginSession({ operation, caller }: PreparedOperation): Promise<string> {
  if (operation.access === 'administrator') return storefront.admin.token;
  const { beginSession: begin } = operation.id === 'endSessions' ? await storefront.addWallet() : caller;
  return begin();
}

/** A folder with the files that samples name, and the variables that they read. */
async function prepare(prepared: PreparedOperation, name: string) {
  const { operation, caller } = prepared;
  const cwd = join(folder, operation.id, name);
  mkdirSync(cwd, { recursive: true });
  const token = await beginSession(prepared);
  const profiles = { wallet: { url: base, token }, admin: { url: base, token } };
  writeFileSync(join(cwd, 'profiles.json'), JSON.stringify({ profiles }));
  writeFileSync(join(cwd, 'wallet.txt'), caller.privateKey, { mode: 0o600 });
  writeFileSync(join(cwd, 'image.png'), await samplePng());
  const secretKey = caller.secretKey.export({ type: 'pkcs8', format: 'pem' });
  const env = {
    ...{ HOME: cwd, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) },
    ...{ KEYFRONT_TOKEN: token, KEYFRONT_CONFIG: join(cwd, 'profiles.json') },
    // On the command line, an API key in the environment is used in place of a profile.
    ...(operation.access === 'credential'
      ? {
          KEYFRONT_URL: base,
          KEYFRONT_API_KEY: caller.apiKey,
          KEYFRONT_SECRET_KEY: Buffer.from(secretKey).toString('base64'),
        }
      : { KEYFRONT_URL: base }),
    ...{ KYC_CALLBACK_SECRET: testSecrets.KYC[0], PAYMENT_CALLBACK_SECRET: testSecrets.PAYMENT[0] },
  };
  return { cwd, env };
}

/** Starts a sample as a reader would: commands pasted into Bash, programs in a file. */
async function start(prepared: PreparedOperation, label: string) {
  const source =
    describeSamples(prepared.operation, base).find((sample) => sample.label === label)?.source ?? '';
  const { cwd, env } = await prepare(prepared, label);
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
  return { shell, source };
}

async function run(prepared: PreparedOperation, label: string): Promise<string> {
  const { shell, source } = await start(prepared, label);
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve));
  const [output, errors, status] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (status !== 0)
    throw new Error(
      `${label} of ${prepared.operation.id} ended with ${status}:\n${source}\n${errors}${output}`,
    );
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
    const { shell } = await start({ operation: operations.streamEvents, caller: storefront.holder }, label);
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
      expectSuccess(operation, label, await run(await withResources(operation), label));
    }
  });
});
