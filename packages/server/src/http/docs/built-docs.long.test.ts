import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const serverFolder = fileURLToPath(new URL('../../..', import.meta.url));
const built = readdirSync(`${serverFolder}/dist/docs`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${relative(serverFolder, parentPath)}/${name}`);

describe('the built documentation', () => {
  it('is part of the packed server', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
      cwd: serverFolder,
    });
    const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path).filter((path) => path.startsWith('dist/docs/'));
    expect(packed.length).toBeGreaterThan(300);
    expect(packed.sort()).toEqual(built.sort());
  });
});
