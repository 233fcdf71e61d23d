import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { copyStorefront, nameStorefront, writeSettings } from '../storefront/copy-storefront.ts';
import { findService, type ServiceOptions, type ShopKey } from '../storefront/find-service.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { withPath } from '../with-path.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface InitOptions extends ServiceOptions {
  readonly port: string;
  readonly json?: true;
}

/** `keyfront init`: creates a shop of one's own from the example storefront. */
export function addInit(program: Command, context: Context): void {
  const command = program
    .command('init')
    .argument('<folder>', 'new or empty folder; its name becomes the name of the shop')
    .option('--base-url <url>', 'URL of the service (default: that of the profile)')
    .addOption(
      new Option(
        '--demo <file>',
        'demo.json of a service with demo data; creates an API key for its first holder',
      ).conflicts('baseUrl'),
    )
    .option('--port <port>', 'port on which the shop listens', '3100')
    .action((folder: string, options: InitOptions) => init(context, folder, options));
  withDescription(
    command,
    'Create a shop from the example storefront',
    'Copies a working shop into the folder, and writes its settings to .env, which only you can read and git ignores. If the profile is ' +
      'signed in with a wallet, or with --demo, creates an API key for the shop: the key pair is generated on this machine, and only the ' +
      'public key is sent. If the profile has an API key, the shop uses that one. Otherwise, prints how to get one.',
  );
  withJson(command);
  withConnection(command, context);
  withExamples(
    command,
    context,
    'keyfront init my-shop --base-url https://keyfront.example',
    'keyfront init my-shop --demo .keyfront/demo.json',
    'keyfront init my-shop --profile wallet --port 4000',
    'keyfront init my-shop --json | jq -r .shopUrl',
  );
}

async function init(context: Context, path: string, options: InitOptions): Promise<void> {
  const folder = resolve(path);
  const name = requireName(basename(folder));
  const port = requirePort(options.port);
  await requireEmpty(folder, path);
  const service = await findService(context, options);
  const shopUrl = `http://127.0.0.1:${port}`;

  const outermost = await withPath(path, () => mkdir(folder, { recursive: true }));
  let key: ShopKey | null = null;
  try {
    await withPath(path, () => copyStorefront(folder));
    await nameStorefront(folder, name);
    context.signal.throwIfAborted();
    key = await service.getKey(name);
    await withPath(join(path, '.env'), () =>
      writeSettings(folder, {
        KEYFRONT_URL: service.url,
        ...(key && { KEYFRONT_API_KEY: key.apiKey, KEYFRONT_SECRET_KEY: key.secretKey }),
        SHOP_URL: shopUrl,
        SESSION_SECRET: randomBytes(32).toString('base64'),
        SHOP_NAME: name,
        // The shop accepts this on its own machine only.
        SHOW_SIGN_IN_CODES: 'on',
      }),
    );
  } catch (error) {
    await key?.created?.revoke().catch(() => undefined);
    await clear(folder, outermost);
    throw error;
  }
  const result = {
    folder,
    baseUrl: service.url,
    shopUrl,
    apiKey: key?.apiKey ?? null,
    keyId: key?.created?.id ?? null,
  };
  context.stdout.write(options.json ? `${compactJson(result)}\n` : describeShop(path, name, result));
}

/** The name goes into package.json, and people type the folder in a shell. */
function requireName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && name !== 'node_modules') return name;
  throw usageError(
    `"${name}" cannot be the name of a shop. Use lower-case letters, digits, ".", "_" and "-", beginning with a letter or digit, at ` +
      'most 63 characters.',
  );
}

function requirePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw usageError('--port must be a number from 1 to 65535');
}

async function requireEmpty(folder: string, path: string): Promise<void> {
  const content = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') throw usageError(`${path} cannot be a folder: a file is in the way.`);
    }
    throw error;
  });
  if (content.length > 0)
    throw usageError(`${path} exists and is not empty. Name a new folder, so that nothing is overwritten.`);
}

/** Leaves what was there before: no folder, or an empty one. */
async function clear(folder: string, outermost: string | undefined): Promise<void> {
  if (outermost !== undefined) return rm(outermost, { recursive: true, force: true });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

function describeShop(
  path: string,
  name: string,
  {
    baseUrl,
    shopUrl,
    apiKey,
    keyId,
  }: { baseUrl: string; shopUrl: string; apiKey: string | null; keyId: string | null },
): string {
  const env = join(path, '.env');
  const key =
    apiKey === null
      ? `It has no API key yet. Create one in the console, ${baseUrl}/console, under "API keys", and paste both parts into ${env}:\n` +
        '  KEYFRONT_API_KEY=…\n  KEYFRONT_SECRET_KEY=…\n'
      : keyId === null
        ? `It uses the API key of your profile, which is in ${env}. Give it a key of its own before others can reach it.\n`
        : `Its API key "${name}" is registered. The secret key is in ${env} and nowhere else.\n`;
  const enter = relative(process.cwd(), resolve(path)) === '' ? '' : `  cd ${path}\n`;
  return (
    `Created the shop ${name} on ${baseUrl}.\n${key}\nNext:\n${enter}  npm install\n  npm run dev\n\n` +
    `Then open ${shopUrl}. README.md and AGENTS.md say what is where.\n`
  );
}
