import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** What stands between backticks. */
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
    execFile(command, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

/** Whether a command runs here and succeeds. */
export function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

const goModule = 'github.com/decred/dcrd/dcrec/secp256k1/v4';

/** Go takes modules from its own cache and nowhere else: a test does not load code from the network. */
export function readGoVariables(): Record<string, string> {
  const cache = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).stdout.trim();
  return { GOPROXY: `file://${cache}/cache/download`, GOSUMDB: 'off', GOFLAGS: '-mod=mod' };
}

/** Makes a folder a Go module that has what the guide's program imports; false where Go or that is missing. */
export function prepareGoModule(folder: string): boolean {
  if (!succeeds('go', 'version')) return false;
  const options = { cwd: folder, env: { ...process.env, ...readGoVariables() }, stdio: 'ignore' } as const;
  return (
    spawnSync('go', ['mod', 'init', 'storefront'], options).status === 0 &&
    spawnSync('go', ['get', goModule], options).status === 0
  );
}

/** Whether Go is here with the module in its cache. */
export function hasGoModule(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-go-'));
  try {
    return prepareGoModule(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
