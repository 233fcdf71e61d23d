import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const serverFolder = fileURLToPath(new URL('../../..', import.meta.url));
const guidesFolder = fileURLToPath(new URL('../../../../../docs/guides', import.meta.url));
const guideFiles = readdirSync(guidesFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:md|webp)$/.test(name),
);

describe('guides', () => {
  it('are part of the packed server', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
      cwd: serverFolder,
    });
    const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path).filter((path) => path.startsWith('guides/'));
    expect(packed.sort()).toEqual(guideFiles.map((name) => `guides/${name}`).sort());
    expect(existsSync(`${serverFolder}/guides`)).toBe(false);
  });
});
