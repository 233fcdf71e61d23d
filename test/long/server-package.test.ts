import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
    expect.arrayContaining(['LICENSE', 'README.md', 'bin', 'dist', 'migrations', 'package.json']),
  );
  expect((await readdir(join(folder, 'dist'))).sort()).toEqual(['bundle', 'docs', 'docs-sandbox']);
  // What renders the documentation has served when the service was built.
  await expect(readdir(join(installed, 'node_modules/markdown-it'))).rejects.toThrow(/ENOENT/);
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
  for (const page of ['/docs', '/docs/guides/quickstart', '/docs/operations/createOrder']) {
    const { status, text } = await curl(`${origin}${page}`);
    expect([page, status]).toEqual([page, 200]);
    expect(text).toContain('</html>');
  }

  process.kill(-(service.pid ?? 0), 'SIGTERM');
  await once(service, 'close');
  expect(output).toContain('Keyfront is shutting down');
});

interface Component {
  readonly 'bom-ref': string;
  readonly hashes: readonly { readonly content: string }[];
}

it('an installation has the packages of the lock, is the same each time, and lists what it consists of', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keyfront-server-package-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const [first, second] = [join(parent, 'first'), join(parent, 'second')];
  await run(process.execPath, [script, first]);
  await run(process.execPath, [script, second]);
  const files = await hashFiles(first);
  expect(await hashFiles(second)).toEqual(files);
  const megabytes = [...files.values()].reduce((sum, { size }) => sum + size, 0) / 1024 ** 2;
  expect(megabytes).toBeLessThan(200);

  const lock = JSON.parse(
    await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ).packages;
  const installed = [...files.keys()].filter((path) =>
    /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
  );
  expect(installed.length).toBeGreaterThan(100);
  const packages = new Set<string>();
  for (const path of installed) {
    const { name, version } = JSON.parse(await readFile(join(first, path), 'utf8'));
    // Files inside of packages may have this name, too.
    if (!path.endsWith(`node_modules/${name}/package.json`)) continue;
    packages.add(`${name}@${version}`);
    if (name.startsWith('@keyfront/')) continue;
    expect([path, lock[path.slice(0, -'/package.json'.length)]?.version]).toEqual([path, version]);
  }

  const bill = JSON.parse(await readFile(join(first, 'sbom.cdx.json'), 'utf8'));
  expect(bill.bomFormat).toBe('CycloneDX');
  const components = new Map<string, Component>(
    bill.components.map((component: Component) => [component['bom-ref'], component]),
  );
  for (const name of packages) expect([...components.keys()]).toContain(name);
  // Parts of the bundles of the server and of the console.
  for (const name of ['fastify', 'pg', 'react', 'viem']) {
    expect([...components.keys()]).toContain(`${name}@${lock[`node_modules/${name}`].version}`);
  }
  const withoutHash = [...components.values()].filter(({ hashes }) => hashes.length === 0);
  expect(withoutHash.map((component) => component['bom-ref'])).toEqual(
    ['embedded-postgres', 'server'].map((name) => `@keyfront/${name}@1.0.0`),
  );
  // libsecp256k1 itself, not the slower library that the main file of its package falls back to.
  await run(process.execPath, ['--eval', "require('secp256k1/bindings')"], { cwd: first });
});

async function hashFiles(folder: string): Promise<Map<string, { size: number; hash: string }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes = new Map();
  for (const entry of entries.filter((each) => !each.isDirectory())) {
    const path = join(entry.parentPath, entry.name);
    const { size, mode } = await lstat(path);
    const content = entry.isSymbolicLink() ? '' : await readFile(path);
    const hash = createHash('sha256').update(content).digest('hex');
    hashes.set(path.slice(folder.length + 1), { size, mode, hash });
  }
  return hashes;
}
