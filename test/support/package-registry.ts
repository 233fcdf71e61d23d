import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copies the parts of a package that are packed, so that nothing appears in the clone while other tests read it. */
export async function copyForPacking(name: string, folder: string): Promise<string> {
  const copy = join(folder, 'packages', name);
  await mkdir(copy, { recursive: true });
  for (const part of ['bin', 'dist', 'src', 'scripts', 'package.json', 'README.md', 'LICENSE']) {
    await cp(join(root, 'packages', name, part), join(copy, part), { recursive: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  const examples = join(folder, 'examples');
  await symlink(join(root, 'examples'), examples).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return copy;
}

export interface PackageRegistry {
  /**
   * The whole environment of a program: no setting of this clone or its developer, except for what npm needs. npm takes the packages
   * of the scope from here, and all others from where it takes them anyway.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command in this environment, and returns what it prints. Fails with all of it if the command fails. */
  run(cwd: string, command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

/** Packs packages of this repository, and serves them as the registry of `@keyfront`, as if they were published. */
export async function startPackageRegistry(...names: string[]): Promise<PackageRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-registry-'));
  const packages = new Map<string, { manifest: { version: string }; tarball: Buffer }>();
  for (const name of names) {
    const cwd = await copyForPacking(name, folder);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    packages.set(`@keyfront/${name}`, {
      manifest: JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')),
      tarball: await readFile(join(folder, filename)),
    });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const found = packages.get(path.replace(/\.tgz$/, ''));
    if (!found) {
      response.writeHead(404).end('{}');
    } else if (path.endsWith('.tgz')) {
      response.end(found.tarball);
    } else {
      const { manifest, tarball } = found;
      const { version } = manifest;
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { tarball: `${url}/${path}.tgz`, integrity };
      // Another registry may get this port one day.
      response.setHeader('cache-control', 'no-store');
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          name: path,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...npmSettings(), 'npm_config_@keyfront:registry': url };
  return {
    env,
    run: async (cwd, [command = '', ...args], variables = env) => {
      const failed = (error: { stdout: string; stderr: string }) => {
        throw new Error(`${[command, ...args].join(' ')}\n${error.stdout}${error.stderr}`);
      };
      return (await run(command, args, { cwd, env: variables, maxBuffer: 10_000_000 }).catch(failed)).stdout;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Where npm takes packages from on this machine. */
function npmSettings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(PATH|HOME|npm_config_(registry|cache|userconfig))$/i.test(name) && value ? [[name, value]] : [],
    ),
  );
}
