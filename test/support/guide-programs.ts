import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a document of the project. */
export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The text under a heading, up to the next heading of any level. */
function readSection(document: string, heading: string): string {
  const lines = document.split('\n');
  let isFenced = false;
  let section: string[] | null = null;
  for (const line of lines) {
    if (line.startsWith('```')) isFenced = !isFenced;
    // A comment of a program begins like a heading.
    const title = isFenced ? null : /^#+ (.+)$/.exec(line);
    if (title && section) break;
    if (title?.[1] === heading) section = [];
    else section?.push(line);
  }
  if (!section) throw new Error(`There is no heading "${heading}"`);
  return section.join('\n');
}

/** The fenced blocks of a language under a heading; fails where there is none. */
export function readPrograms(document: string, heading: string, language: string): [string, ...string[]] {
  const blocks = readSection(document, heading).matchAll(/^```(\S+)\n(.*?)^```$/gms);
  const [first, ...others] = [...blocks].flatMap(([, of, program = '']) =>
    of === language ? [program] : [],
  );
  if (first === undefined) throw new Error(`There is no ${language} under "${heading}"`);
  return [first, ...others];
}

/** The programs of the marketplace guide, by the names under which they are saved. */
export function readMarketPrograms(guide: string) {
  const [abi, market = ''] = readPrograms(guide, 'Shared code', 'js');
  return {
    'abi.mjs': abi,
    'market.mjs': market,
    'list.mjs': readPrograms(guide, 'List', 'js')[0],
    'cancel.mjs': readPrograms(guide, 'Cancel', 'js')[0],
    'browse.mjs': readPrograms(guide, 'Browse', 'js')[0],
    'buy.mjs': readPrograms(guide, 'Buy', 'js')[0],
  };
}

/** The programs of the quickstart by the names in their first lines. */
export function readQuickstartPrograms(guide: string): (readonly [name: string, text: string])[] {
  return [...guide.matchAll(/^```js\n\/\/ (\S+\.mjs)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [
    name,
    text,
  ]);
}

export interface Step {
  readonly program: string;
  /** What the document says that it prints, with `…` for what differs each time; nothing where it says nothing. */
  readonly output: string;
}

/** The commands of a whole document that are meant to be run one after the other, with what each prints. */
export function readSteps(document: string): Step[] {
  const blocks = [...document.matchAll(/^```(bash|text)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, program = ''], index) => {
    const [, following, output = ''] = blocks[index + 1] ?? [];
    if (language === 'text') return [];
    return [{ program, output: following === 'text' ? output : '' }];
  });
}

/** The moves of the state diagram under a heading, as `FROM --> TO`. */
export function readMoves(document: string, heading: string): string[] {
  const [picture] = readPrograms(document, heading, 'mermaid');
  const [kind, ...moves] = picture.trimEnd().split('\n');
  if (kind !== 'stateDiagram-v2') throw new Error(`There is no state diagram under "${heading}"`);
  return moves.map((move) => move.trim());
}

/** A text as a pattern, in which `…` stands for anything within a line. */
export function toPattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.+')}$`);
}

/** The cells of the tables under a heading, row by row, without the heads. */
export function readTables(document: string, heading: string): string[][][] {
  const tables: string[][][] = [];
  for (const [table] of readSection(document, heading).matchAll(/(?:^\|.*\|\n)+/gm)) {
    const rows = table
      .trimEnd()
      .split('\n')
      .map((row) => row.slice(2, -2).split(' | '));
    tables.push(rows.slice(2));
  }
  return tables;
}

/** The texts between backticks. */
export function readCode(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with these variables beside those of the test, except settings of a developer's own. */
export function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<ProgramRun> {
  const env = { ...process.env, KEYFRONT_TOKEN: undefined, ...variables };
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, timeout: 240_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

/** The responses that a program has printed: a status, then a body. */
export function readAnswers({ code, stdout, stderr }: ProgramRun): { statuses: number[]; bodies: unknown[] } {
  expect(code, stderr).toBe(0);
  return {
    statuses: [...stdout.matchAll(/^(?:HTTP\/1\.1 )?(\d{3})\b/gm)].map(([, status]) => Number(status)),
    bodies: [...stdout.matchAll(/^\{"success":.*$/gm)].map(([body]) => JSON.parse(body)),
  };
}

const goModule = 'github.com/decred/dcrd/dcrec/secp256k1/v4';
const goStandIn = fileURLToPath(new URL('go-secp256k1', import.meta.url));

/** Go takes modules from its own cache and nowhere else: a test does not load code from the network. */
export function readGoVariables(): Record<string, string> {
  const cache = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).stdout.trim();
  return { GOPROXY: `file://${cache}/cache/download`, GOSUMDB: 'off', GOFLAGS: '-mod=mod' };
}

/**
 * Makes a folder a Go module with the module that the program of the guide imports. Where Go's cache does not have that
 * one, a stand-in with the same functions takes its place.
 */
export function prepareGoModule(folder: string): void {
  const env = { ...process.env, ...readGoVariables() };
  const go = (...args: string[]) => spawnSync('go', args, { cwd: folder, env, stdio: 'ignore' }).status === 0;
  if (!go('mod', 'init', 'storefront')) throw new Error('go mod init has failed');
  if (go('get', goModule)) return;
  const edits = [`-require=${goModule}@v4.0.0`, `-replace=${goModule}=${goStandIn}`];
  if (!go('mod', 'edit', ...edits)) throw new Error('go mod edit has failed');
}

/** Commands that write down what they are called with, as a process list would show it, before they do their work. */
export function watchCommands(
  folder: string,
  names: readonly string[],
): { readonly path: string; read(): string } {
  const bin = join(folder, 'bin');
  const log = join(folder, 'command-lines');
  mkdirSync(bin);
  writeFileSync(log, '');
  for (const name of names) {
    const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    const wrapper = join(bin, name);
    writeFileSync(wrapper, `#!/bin/sh\nprintf '%s\\n' "${name} $*" >>'${log}'\nexec '${real}' "$@"\n`);
    chmodSync(wrapper, 0o700);
  }
  return {
    path: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    read: () => readFileSync(log, 'utf8'),
  };
}

/**
 * Creates a folder with an `npx` that runs programs of the nearest `node_modules`. The first call in each folder of
 * programs runs the npx of npm, and the others do without it, because npm takes longer to start than what it starts.
 */
export function writeFastNpx(folder: string): string {
  const bin = join(folder, 'npx-bin');
  const real = spawnSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).stdout.trim();
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh\nmkdir '${bin}/called' 2>/dev/null && exec '${real}' "$@"\nname=$1\n[ "$name" = @keyfront/cli ] && name=keyfront\nshift\nexec "node_modules/.bin/$name" "$@"\n`,
    { mode: 0o700 },
  );
  return bin;
}

/** Sees that a process list showed neither the secret key nor a signature. */
export function expectNoSecret(commandLines: string, secretKey: string): void {
  expect(commandLines).toMatch(/^openssl dgst .*-sign/m);
  expect(commandLines).toMatch(/^curl .*(x-auth-apikey|signature-input)/m);
  expect(commandLines).not.toMatch(/x-auth-signature|signature: /);
  const pem = Buffer.from(secretKey, 'base64').toString();
  for (const secret of [secretKey, ...pem.split('\n').slice(1, -2)]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(commandLines).not.toContain(secret);
  }
}

export interface Terminal {
  readonly cwd: string;
  /** What has been run so far, as a process list would show it. */
  readCommands(): string;
  /** Where programs put their files for the moment. */
  readonly temporary: string;
  run(program: string): Promise<ProgramRun>;
}

/** A second terminal in the folder where `npm start` was called: a clone with this data folder in it. */
export function openTerminal(folder: string, dataFolder: string): Terminal {
  const commands = watchCommands(folder, ['openssl', 'curl', 'node']);
  const [cwd, temporary] = [join(folder, 'cwd'), join(folder, 'tmp')];
  mkdirSync(cwd);
  mkdirSync(temporary);
  symlinkSync(dataFolder, join(cwd, '.keyfront'));
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const path = `${writeFastNpx(folder)}${delimiter}${commands.path}`;
  return {
    cwd,
    temporary,
    readCommands: commands.read,
    run: (program) =>
      runProgram('bash', ['-c', program], cwd, {
        PATH: path,
        TMPDIR: temporary,
        // npm would leave a cache of compiled code in the temporary folder, which the programs must leave empty.
        NODE_DISABLE_COMPILE_CACHE: '1',
      }),
  };
}

/** The fate of a request: it arrives, its response is lost, or a proxy responds instead. */
export type Fate = 'arrives' | 'answer is lost' | { readonly status: number; readonly retryAfter?: string };

export interface LossyWay {
  readonly url: string;
  /** The idempotency keys that came by, one for each request. */
  readKeys(): (string | undefined)[];
  close(): Promise<void>;
}

/** A way to the service on which the first request has the first fate, the next the next, and all others the last. */
export async function startLossyWay(serviceUrl: string, fates: readonly Fate[]): Promise<LossyWay> {
  const keys: (string | undefined)[] = [];
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fate = fates[keys.length] ?? fates.at(-1) ?? 'arrives';
    keys.push(request.headersDistinct['idempotency-key']?.join());
    const body = await buffer(request);
    if (typeof fate === 'object') {
      response.writeHead(fate.status, fate.retryAfter ? { 'Retry-After': fate.retryAfter } : {});
      response.end('upstream connect error or disconnect/reset before headers');
      return;
    }
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(request.headersDistinct)) {
      // Those of the connection are for fetch to set.
      if (!['host', 'connection', 'content-length'].includes(name)) headers.set(name, values.join());
    }
    const answer = await fetch(serviceUrl + request.url, { method: request.method ?? 'GET', headers, body });
    const content = await answer.text();
    if (fate === 'answer is lost') response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content);
  };
  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readKeys: () => keys,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
