import { type Command, Option } from 'commander';
import { CliError, usageError } from '../cli-error.ts';
import { checkService } from '../connection-checks/check-service.ts';
import { verifyCredentials } from '../connection-checks/run-checks.ts';
import type { Context } from '../context.ts';
import { clientOptions, createAnonymousClient } from '../create-client.ts';
import { type Demo, readDemoFile } from '../credentials/demo-file.ts';
import { readEnvironmentFile } from '../credentials/environment-file.ts';
import {
  apiKeyOf,
  encodeSecretKey,
  isKeyPair,
  otherPair,
  readApiKey,
  readSecretKey,
} from '../credentials/key-pair.ts';
import {
  type KeyProfile,
  type Profile,
  profileFile,
  profileName,
  readProfiles,
  writeProfiles,
} from '../credentials/profiles.ts';
import { signInWallet } from '../credentials/sign-in-wallet.ts';
import { readWallet, type Wallet } from '../credentials/wallet.ts';
import { describeError } from '../describe-error.ts';
import { readFileOrStdin } from '../read-file-or-stdin.ts';
import { openPrompt, type Prompt } from '../terminal/prompt.ts';
import { styleFor } from '../terminal/style.ts';
import { withConnection, withDescription, withExamples } from './shared-options.ts';

interface LoginOptions {
  readonly profile?: string;
  readonly url?: string;
  readonly apiKey?: string;
  readonly secretKeyFile?: string;
  readonly walletKeyFile?: string;
  readonly admin?: true;
  readonly demo?: string;
  readonly holder?: string;
  readonly wallet?: true;
  readonly verify: boolean;
  readonly verbose?: true;
}

const notWithDemo = ['url', 'apiKey', 'secretKeyFile', 'walletKeyFile'];

/** `keyfront login`: verifies credentials and saves them in a profile. */
export function addLogin(program: Command, context: Context): void {
  const command = program
    .command('login')
    .option('--url <url>', 'URL of the service')
    .option('--api-key <key>', 'API key (public key); derived from the secret key if not given')
    .option(
      '--secret-key-file <file>',
      'file with the secret key, or .env file of a new key from the console; - for standard input',
    )
    .addOption(
      new Option(
        '--wallet-key-file <file>',
        'sign in with the wallet whose private key is in this file, - for standard input',
      ).conflicts(['apiKey', 'secretKeyFile']),
    )
    .option('--admin', 'sign in as an administrator, with --wallet-key-file or --demo')
    .addOption(
      new Option('--demo <file>', 'take everything from the demo.json of a service with demo data').conflicts(
        notWithDemo,
      ),
    )
    .addOption(
      new Option('--holder <number>', 'with --demo: the holder to act as; 1 by default').choices(['1', '2']),
    )
    .addOption(
      new Option(
        '--wallet',
        "with --demo: sign in with the holder's wallet instead of their API key",
      ).conflicts('admin'),
    )
    .option('--no-verify', 'save without verifying, for example while offline')
    .action((options: LoginOptions) => login(context, options));
  withDescription(
    command,
    'Verify credentials and save them in a profile',
    'Missing values come from KEYFRONT_URL, KEYFRONT_API_KEY and KEYFRONT_SECRET_KEY, or are asked for on a terminal. ' +
      'Secrets are never options, because other users of the machine can see the options of a process.',
  );
  withConnection(command, context);
  withExamples(
    command,
    context,
    'keyfront login',
    'keyfront login --demo .keyfront/demo.json',
    'keyfront login --url https://keyfront.example --secret-key-file storefront.pem',
    'keyfront login --url https://keyfront.example --secret-key-file keyfront-my-shop.env',
    'keyfront login --url https://keyfront.example --wallet-key-file wallet.txt --profile wallet',
    'keyfront login --demo .keyfront/demo.json --admin --profile admin',
  );
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const profile = await readProfile(context, options);
  if (options.verify) await verify(context, profile, options);
  const file = profileFile(context);
  const name = profileName(context, options.profile);
  await writeProfiles(file, new Map(await readProfiles(file)).set(name, profile));
  context.stdout.write(
    options.verify
      ? `Logged in to ${profile.url}. Credentials saved in profile "${name}".\n`
      : `Saved profile "${name}" for ${profile.url} without verifying it.\n`,
  );
}

async function verify(context: Context, profile: Profile, options: LoginOptions): Promise<void> {
  const { yellow } = styleFor(context.stderr, context.env);
  await withSaveHint(context, async () => {
    for await (const { isWarning, message } of verifyCredentials(
      context,
      profile,
      clientOptions(context, options),
    )) {
      if (isWarning) context.stderr.write(`${yellow('warning:')} ${message}\n`);
    }
  });
}

/** Adds to a failed verification that nothing was saved, and how to save nevertheless. */
async function withSaveHint(context: Context, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { message, exitCode } = describeError(error);
    if (context.signal.aborted || message === null) throw error;
    throw new CliError(
      `${message.replace(/\.?$/, '.')} Nothing was saved; use --no-verify to save without verifying.`,
      exitCode,
      {
        cause: error,
      },
    );
  }
}

async function readProfile(context: Context, options: LoginOptions): Promise<Profile> {
  if (options.demo !== undefined) return readDemoLogin(context, await readDemoFile(options.demo), options);
  if (options.wallet) {
    throw usageError('--wallet requires --demo. Use --wallet-key-file for a wallet of your own.');
  }
  if (options.holder !== undefined) throw usageError('--holder requires --demo');
  const prompt = context.stdin.isTTY ? openPrompt(context) : null;
  try {
    const url = options.url ?? context.env.KEYFRONT_URL ?? (await prompt?.ask('Service URL: '));
    const baseUrl = requireUrl(context, url);
    if (options.walletKeyFile !== undefined) {
      const key = await readFileOrStdin(context, options.walletKeyFile);
      const wallet = await readWallet(key.toString(), `--wallet-key-file ${options.walletKeyFile}`);
      return await signIn(context, baseUrl, wallet, options, options.admin === true);
    }
    if (options.admin) throw usageError('--admin requires --wallet-key-file or --demo');
    return await readKeyLogin(context, baseUrl, options, prompt);
  } finally {
    prompt?.close();
  }
}

async function readDemoLogin(
  context: Context,
  { url, holders, administratorPrivateKey }: Demo,
  options: LoginOptions,
): Promise<Profile> {
  const openWallet = (privateKey: string) =>
    readWallet(privateKey, `The private key of a wallet in ${options.demo}`);
  if (options.admin) return signIn(context, url, await openWallet(administratorPrivateKey), options, true);
  const { holder: number = '1' } = options;
  const holder = holders[Number(number) - 1];
  if (!holder) throw usageError(`The demo has no holder ${number}`);
  if (options.wallet) return signIn(context, url, await openWallet(holder.walletPrivateKey), options, false);
  return { url, apiKey: holder.apiKey, secretKey: holder.secretKey };
}

async function signIn(
  context: Context,
  url: string,
  wallet: Wallet,
  options: LoginOptions,
  isAdministrator: boolean,
): Promise<Profile> {
  const client = { maxAttempts: 1, ...clientOptions(context, options) };
  // Signing in needs the service, so a wrong URL is an error even without verification.
  await checkService(context, url, client);
  const keyfront = createAnonymousClient(context, url, client);
  return { url, token: await signInWallet(keyfront, wallet, isAdministrator, context.signal) };
}

async function readKeyLogin(
  context: Context,
  url: string,
  options: LoginOptions,
  prompt: Prompt | null,
): Promise<KeyProfile> {
  const content = options.secretKeyFile
    ? await readFileOrStdin(context, options.secretKeyFile)
    : (context.env.KEYFRONT_SECRET_KEY ?? (await prompt?.askSecret('Secret key (input is hidden): ')));
  if (!content || content.length === 0) {
    throw usageError('No secret key. Use --secret-key-file or set KEYFRONT_SECRET_KEY.');
  }
  const isFile = options.secretKeyFile !== undefined;
  const pair = isFile ? readEnvironmentFile(content) : null;
  const secretKey = readSecretKey(
    pair?.secretKey ?? content,
    secretKeyName(options),
    isFile ? 'an environment file with KEYFRONT_SECRET_KEY' : undefined,
  );
  const apiKey = options.apiKey ?? (isFile ? pair?.apiKey : context.env.KEYFRONT_API_KEY);
  if (apiKey && !isKeyPair(readApiKey(apiKey), secretKey)) {
    throw usageError(otherPair);
  }
  return { url, apiKey: apiKeyOf(secretKey), secretKey: encodeSecretKey(secretKey) };
}

/** What errors call the secret key. */
function secretKeyName({ secretKeyFile }: LoginOptions): string {
  return secretKeyFile === undefined ? 'The secret key' : `--secret-key-file ${secretKeyFile}`;
}

function requireUrl(context: Context, url: string | undefined): string {
  if (!url) throw usageError('No service URL. Use --url or set KEYFRONT_URL.');
  return createAnonymousClient(context, url).baseUrl;
}
