import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { curl } from '../support/curl.ts';
import { signWithOpenssl } from '../support/openssl.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/install-server.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** The user `nobody`, unless the tests have an ordinary user already. */
const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};

it('the packed service runs where nothing else is, for an ordinary user and without the registry', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keyfront-server-package-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  await chmod(parent, 0o755);
  const installed = join(parent, 'installed');
  await run(process.execPath, [script, installed]);

  const folder = join(installed, 'node_modules/@keyfront/server');
  expect((await readdir(folder)).sort()).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'bin', 'dist', 'guides', 'migrations', 'package.json']),
  );
  expect(await readdir(join(folder, 'dist'))).toEqual(['bundle']);
  // All that it needs is there, and nothing that only a clone needs.
  await run('npm', ['ls', '--all', '--omit=dev'], { cwd: installed });
  await expect(readdir(join(installed, 'node_modules/vitest'))).rejects.toThrow(/ENOENT/);
  const again = run(process.execPath, [script, installed]);
  await expect(again).rejects.toThrow(/is not empty: name an empty folder/);

  const home = join(parent, 'home');
  await mkdir(home);
  if (isRoot) await chown(home, user.uid ?? 0, user.gid ?? 0);
  const service = spawn('npx', ['--no', 'keyfront-server'], {
    cwd: installed,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PORT: '0',
      KEYFRONT_DATA: join(home, 'data'),
      // npm fails at once if it needs the registry.
      npm_config_offline: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...user,
  });
  onTestFinished(() => {
    if (service.exitCode === null && service.pid) process.kill(-service.pid, 'SIGKILL');
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  await expect.poll(() => output).toMatch(/Keyfront is ready: \S+\n/);
  const [, baseUrl = ''] = output.match(/Keyfront is ready: (\S+)\n/) ?? [];
  const origin = new URL(baseUrl).origin;

  const [holder] = JSON.parse(await readFile(join(home, 'data/demo.json'), 'utf8')).holders;
  const file = join(parent, 'key.der');
  await writeFile(file, Buffer.from(holder.secretKey, 'base64'), { mode: 0o600 });
  const headers = [`x-auth-apikey: ${holder.apiKey}`, `x-auth-signature: ${signWithOpenssl({ file }, '{}')}`];
  const signed = await curl(...headers.flatMap((header) => ['--header', header]), `${baseUrl}/strains`);
  expect(signed.status).toBe(200);
  for (const page of ['/docs', '/docs/guides/quickstart']) {
    const { status, text } = await curl(`${origin}${page}`);
    expect([page, status]).toEqual([page, 200]);
    expect(text).toContain('</html>');
  }

  process.kill(-(service.pid ?? 0), 'SIGTERM');
  await once(service, 'close');
  expect(output).toContain('Keyfront is shutting down');
});
