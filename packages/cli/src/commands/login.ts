import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { createPublicKeyfront } from '../open-keyfront.ts';
import { readContent } from '../read-content.ts';
import { type Demo, readDemoFile } from '../settings/demo-file.ts';
import { apiKeyOf, encodeSecretKey, isPair, readApiKey, readSecretKey } from '../settings/key-pair.ts';
import {
  type KeyProfile,
  type Profile,
  profileFile,
  readProfiles,
  writeProfiles,
} from '../settings/profiles.ts';
import { signInWallet } from '../settings/sign-in-wallet.ts';
import { readWallet } from '../settings/wallet.ts';
import { openPrompt, type Prompt } from '../terminal/prompt.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';

interface LoginOptions extends ProfileOption {
  readonly url?: string;
  readonly apiKey?: string;
  readonly secretKeyFile?: string;
  readonly walletKeyFile?: string;
  readonly admin?: true;
  readonly demo?: string;
  readonly holder: string;
  readonly wallet?: true;
}

const ofKeys = ['url', 'apiKey', 'secretKeyFile', 'walletKeyFile'];

/** `keyfront login`: keeps credentials in a profile. */
export function addLogin(program: Command, cli: Cli): void {
  const command = program
    .command('login')
    .summary('keep credentials in a profile')
    .description(
      'keep credentials in a profile. What is not given is taken from KEYFRONT_URL, KEYFRONT_API_KEY and ' +
        'KEYFRONT_SECRET_KEY, or asked for on a terminal',
    )
    .option('--url <url>', 'the address of the service')
    .option('--api-key <key>', 'the public key; made from the secret one when not given')
    .option('--secret-key-file <file>', 'the file of the secret key; - for the standard input')
    .option('--wallet-key-file <file>', 'sign in with the wallet whose private key is in this file')
    .option('--admin', 'sign in as an administrator, with --wallet-key-file or --demo')
    .addOption(new Option('--demo <file>', 'the demo.json of a service with demo data').conflicts(ofKeys))
    .addOption(new Option('--holder <number>', 'with --demo: which holder').choices(['1', '2']).default('1'))
    .option('--wallet', "with --demo: sign in with the holder's wallet")
    .action(async (options: LoginOptions) => keep(cli, options.profile, await readLogin(cli, options)));
  withProfile(command);
  withExamples(
    command,
    'keyfront login --demo .keyfront/demo.json',
    'keyfront login --url https://keyfront.example --secret-key-file storefront.pem',
    'keyfront login --url https://keyfront.example --wallet-key-file wallet.txt --profile wallet',
    'keyfront login --demo .keyfront/demo.json --admin --profile admin',
  );
}

async function keep(cli: Cli, name: string, profile: Profile): Promise<void> {
  const file = profileFile(cli);
  await writeProfiles(file, new Map(await readProfiles(file)).set(name, profile));
  cli.output.write(`Profile "${name}" is for ${profile.url}\n`);
}

async function readLogin(cli: Cli, options: LoginOptions): Promise<Profile> {
  if (options.demo !== undefined) return readDemoLogin(cli, await readDemoFile(options.demo), options);
  if (options.wallet)
    throw misuse('--wallet goes with --demo: name the key of a wallet with --wallet-key-file');
  const prompt = cli.input.isTTY ? openPrompt(cli) : null;
  try {
    const url = requireUrl(cli, options.url ?? cli.env.KEYFRONT_URL ?? (await prompt?.ask('Address: ')));
    if (options.walletKeyFile !== undefined) {
      const key = await readContent(cli, options.walletKeyFile);
      return await readWalletLogin(cli, url, key.toString(), options.admin === true);
    }
    if (options.admin) throw misuse('--admin needs a wallet: name its key with --wallet-key-file');
    return await readKeyLogin(cli, url, options, prompt);
  } finally {
    prompt?.close();
  }
}

function readDemoLogin(
  cli: Cli,
  { url, holders, administratorPrivateKey }: Demo,
  { holder: number, wallet, admin }: LoginOptions,
): Profile | Promise<Profile> {
  if (admin) return readWalletLogin(cli, url, administratorPrivateKey, true);
  const holder = holders[Number(number) - 1];
  if (!holder) throw misuse(`The demo has no holder ${number}`);
  if (wallet) return readWalletLogin(cli, url, holder.walletPrivateKey, false);
  return { url, apiKey: holder.apiKey, secretKey: holder.secretKey };
}

async function readWalletLogin(
  cli: Cli,
  url: string,
  key: string,
  isAdministrator: boolean,
): Promise<Profile> {
  const wallet = await readWallet(key);
  return {
    url,
    token: await signInWallet(createPublicKeyfront(cli, url), wallet, isAdministrator, cli.signal),
  };
}

async function readKeyLogin(
  cli: Cli,
  url: string,
  options: LoginOptions,
  prompt: Prompt | null,
): Promise<KeyProfile> {
  const content = options.secretKeyFile
    ? await readContent(cli, options.secretKeyFile)
    : (cli.env.KEYFRONT_SECRET_KEY ?? (await prompt?.askSecret('Secret key (not shown): ')));
  if (!content) {
    throw misuse('There is no secret key: name its file with --secret-key-file, or set KEYFRONT_SECRET_KEY');
  }
  const secretKey = readSecretKey(content);
  const apiKey = options.apiKey ?? (options.secretKeyFile ? undefined : cli.env.KEYFRONT_API_KEY);
  if (apiKey && !isPair(readApiKey(apiKey), secretKey)) {
    throw misuse('The secret key does not belong to the API key: take both from the same pair');
  }
  return { url, apiKey: apiKeyOf(secretKey), secretKey: encodeSecretKey(secretKey) };
}

function requireUrl(cli: Cli, url: string | undefined): string {
  if (!url) throw misuse('There is no address: give it with --url, or set KEYFRONT_URL');
  return createPublicKeyfront(cli, url).baseUrl;
}
