import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Flags that a browser needs to run in a container, as root, without reaching out by itself. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Some builds look up hosts of their maker despite the flags above. No proxy listens there, and loopback needs none.
  '--proxy-server=http://127.0.0.1:9',
];

/** The browser that `CHROMIUM` names, else one on the path, else npm's where it has one; null without any. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment.CHROMIUM || findOnPath(environment.PATH ?? '') || unpackFromNpm();
}

function findOnPath(path: string): string | null {
  const names = ['chromium', 'google-chrome'];
  const candidates = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/**
 * The package holds the browser compressed, and unpacks it into the temporary folder of its process. A folder of our
 * own takes it instead, where it stays for later runs and no other program meets it.
 */
function unpackFromNpm(): string | null {
  // npm has no build for other platforms.
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let version: string;
  try {
    const entry = require.resolve('@sparticuz/chromium');
    ({ version } = require(join(dirname(entry), '..', '..', 'package.json')));
  } catch {
    return null;
  }
  const cache = join(root, 'node_modules', '.cache', 'keyfront');
  const folder = join(cache, `chromium-${version}`);
  const executable = join(folder, 'chromium');
  if (existsSync(executable)) return executable;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'chromium-draft-'));
  const unpack =
    "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath()).then(console.log)";
  const { status, stderr } = spawnSync(process.execPath, ['-e', unpack], {
    cwd: root,
    env: { ...process.env, TMPDIR: draft },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The Chromium of npm could not be unpacked: ${stderr}`);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(draft, { recursive: true });
    if (!existsSync(executable)) throw error;
  }
  return executable;
}
