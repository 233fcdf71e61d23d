import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sdk = join(root, 'packages/sdk');

let folder: string;
let tarball: Buffer;
let files: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-sdk-package-'));
  const args = [
    'pack',
    '--json',
    '--workspace',
    '@keyfront/sdk',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  tarball = await readFile(join(folder, packed.filename));
  files = packed.files.map(({ path }) => path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the SDK package', () => {
  it('contains licence, documentation, output and sources, and nothing else', () => {
    expect(files.filter((path) => !/^(dist|src)\//.test(path)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(files.filter((path) => /\.test\.|tsbuildinfo/.test(path))).toEqual([]);
  });

  it('contains no output without a source: otherwise delete packages/sdk/dist and build again', () => {
    const sources = new Set(files.filter((path) => path.startsWith('src/')));
    const orphans = files.filter(
      (path) =>
        path.startsWith('dist/') &&
        !sources.has(path.replace(/^dist/, 'src').replace(/(\.d)?\.[jt]s(\.map)?$/, '.ts')),
    );
    expect(orphans).toEqual([]);
  });

  it('contains every file that a source map names', () => {
    const maps = files.filter((path) => path.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(50);
    for (const map of maps) {
      const { sources, sourceRoot = '' } = JSON.parse(readFileSync(join(sdk, map), 'utf8'));
      const resolved = sources.map((source: string) => posix.join(dirname(map), sourceRoot, source));
      expect(files).toEqual(expect.arrayContaining(resolved));
    }
  });

  it('has no problem that publint finds', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(tarball).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types that resolve wherever ES modules do', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    const problems = analysis.types ? analysis.problems : [{ kind: 'UntypedResolution' }];
    // The package has ES modules only: CommonJS imports them, and the resolution of Node 10 does not know `exports`.
    const isEsmOnly = (problem: object) =>
      'resolutionKind' in problem && /^node10$|^node16-cjs$/.test(String(problem.resolutionKind));
    expect(problems.filter((problem) => !isEsmOnly(problem))).toEqual([]);
  });
});
