import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { run } from '../../packages/cli/src/main.ts';
import { onDemoDatabase, startService } from './service-process.ts';

export const binaryPath = fileURLToPath(new URL('../../packages/cli/bin/keyfront.js', import.meta.url));

interface DemoHolder {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly walletPrivateKey: string;
  readonly primaryTokenId: number;
  readonly clientIds: { readonly ready: string };
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly input?: string;
}

/** Runs commands in a folder of its own against a service with demo data. */
interface Shell {
  readonly baseUrl: string;
  readonly ownerUrl: string;
  readonly folder: string;
  readonly demoFile: string;
  readonly holders: readonly [DemoHolder, DemoHolder];
  keyfront(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs the program in a process of its own. */
  binary(...args: string[]): Promise<Run>;
  /** Returns stdout. Fails if the command fails or writes to stderr. */
  output(...args: string[]): Promise<string>;
}

/** Runs a command in this process, which takes a tenth of the time of a new process. */
async function runInProcess(
  args: readonly string[],
  cwd: string,
  { env, input = '' }: RunOptions,
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const previousFolder = process.cwd();
  process.chdir(cwd);
  try {
    const written = Promise.all([text(stdout), text(stderr)]);
    const code = await run(args, {
      env: { HOME: cwd, ...env },
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      fetch: globalThis.fetch,
      now: () => new Date(),
      signal: new AbortController().signal,
    });
    stdout.end();
    stderr.end();
    const [stdoutText, stderrText] = await written;
    return { code, stdout: stdoutText, stderr: stderrText };
  } finally {
    process.chdir(previousFolder);
  }
}

async function runBinary(
  args: readonly string[],
  cwd: string,
  { env, input = '' }: RunOptions,
): Promise<Run> {
  const child = spawn(process.execPath, [binaryPath, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

export async function withShell(use: (shell: Shell) => Promise<void>): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const dataFolder = settings.KEYFRONT_DATA;
    const service = startService(settings);
    const baseUrl = await service.ready;
    const folder = join(dataFolder, '..', 'shell');
    mkdirSync(folder);
    const demoFile = join(dataFolder, 'demo.json');
    const { holders, admin } = JSON.parse(readFileSync(demoFile, 'utf8'));
    const printed: string[] = [];
    const shell: Shell = {
      baseUrl,
      ownerUrl: settings.DATABASE_OWNER_URL,
      folder,
      demoFile,
      holders,
      keyfront: async (args, options = {}) => {
        const result = await runInProcess(args, folder, options);
        printed.push(result.stdout, result.stderr);
        return result;
      },
      binary: async (...args) => {
        const result = await runBinary(args, folder, {});
        printed.push(result.stdout, result.stderr);
        return result;
      },
      output: async (...args) => {
        const { code, stdout, stderr } = await shell.keyfront(args);
        expect([args, code, stderr]).toEqual([args, 0, '']);
        return stdout;
      },
    };
    await use(shell);
    expectNoSecrets(printed.join('\n'), [
      ...holders.flatMap((holder: DemoHolder) => [
        holder.walletPrivateKey.slice(2),
        ...partsOf(holder.secretKey),
      ]),
      admin.walletPrivateKey.slice(2),
      ...readSavedSecrets(folder),
    ]);
    expect(await service.end()).toBe(0);
  });
}

/** A secret key, and each line of its PEM. */
export function partsOf(secretKey: string): string[] {
  return [secretKey, ...Buffer.from(secretKey, 'base64').toString().split('\n').slice(1, -2)];
}

/** The secret keys and tokens of all profiles. */
function readSavedSecrets(folder: string): string[] {
  const { profiles } = JSON.parse(readFileSync(join(folder, '.config/keyfront/profiles.json'), 'utf8'));
  return Object.values<Record<string, string>>(profiles).flatMap(({ secretKey, token }) =>
    [secretKey, token].filter((each) => each !== undefined),
  );
}

function expectNoSecrets(output: string, secrets: readonly string[]): void {
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(output).not.toContain(secret);
  }
}

/** Starts a server that is closed when the test ends. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that removes request headers, or changes the time of responses. */
export function serveProxy(
  baseUrl: string,
  { drops = [], aheadMs = 0 }: { drops?: string[]; aheadMs?: number },
) {
  return serve(async (request, reply) => {
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(request.headersDistinct)) {
      if (![...drops, 'host', 'connection', 'content-length'].includes(name))
        headers.set(name, values.join());
    }
    const body = await buffer(request);
    const response = await fetch(new URL(request.url ?? '/', baseUrl), {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    for (const name of ['content-type', 'www-authenticate']) {
      const value = response.headers.get(name);
      if (value) reply.setHeader(name, value);
    }
    reply.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    reply.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
  });
}

export async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
