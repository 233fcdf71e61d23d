import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@keyfront/embedded-postgres';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../root.ts';
import { launchProgram } from './peer-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyfront-peers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function launch(script: string, program = process.execPath) {
  return launchProgram('The peer', [program, '--eval', script], {
    cwd: folder,
    env: {},
    log: join(folder, 'log'),
  });
}

describe('a program of a peer', () => {
  it('finishes', async () => {
    await launch('').finish(1);
  });

  it('has the last lines of its output in the error', async () => {
    const script = 'for (let n = 1; n <= 30; n++) console.error("line " + n + "."); process.exitCode = 3';
    const error: Error = await launch(script)
      .finish(1)
      .then(
        () => new Error('no error'),
        (reason) => reason,
      );
    expect(error.message).toContain(
      `The peer ended with 3. The last lines of ${join(folder, 'log')}:\nline 11.\n`,
    );
    expect(error.message).toMatch(/line 30\.$/);
  });

  it('may be missing', async () => {
    await expect(launch('', join(folder, 'missing')).finish(1)).rejects.toThrow('could not be started');
  });

  it('is ready when it responds', async () => {
    const port = await findFreePort();
    const script = `require('node:http').createServer((_, response) => response.end()).listen(${port}, '127.0.0.1')`;
    const launched = launch(script);
    await launched.waitFor(`http://127.0.0.1:${port}/health`, 1);
    await launched.end();
  });

  it('is ended if it is not ready in time, or if it ends before', async () => {
    const url = 'http://127.0.0.1:1/health';
    await expect(launch('setInterval(() => {}, 1000)').waitFor(url, 0)).rejects.toThrow(
      'was not ready within 0 minutes',
    );
    await expect(launch('process.exit(0)').waitFor(url, 1)).rejects.toThrow('The peer ended with 0');
  });
});

it.each(['medusa', 'vendure'])('the lock of %s has the exact versions of its package.json', (name) => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, 'bench/peers', name, file), 'utf8'));
  const { dependencies } = read('package.json');
  const { packages } = read('package-lock.json');
  for (const [dependency, version] of Object.entries(dependencies)) {
    expect(packages[`node_modules/${dependency}`]).toMatchObject({ version, integrity: expect.any(String) });
  }
});
