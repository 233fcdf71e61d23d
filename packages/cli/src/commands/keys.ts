import type { Keyfront } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { exitCodes, Failure, misuse } from '../failure.ts';
import { createKeyfront } from '../open-keyfront.ts';
import { readContent } from '../read-content.ts';
import { getCredentials } from '../settings/credentials.ts';
import { encodePublicKey, readApiKey } from '../settings/key-pair.ts';
import { isKeyProfile } from '../settings/profiles.ts';
import { withSecretKeyFile } from '../settings/secret-key-file.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { formatTable } from '../terminal/table.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';

interface OutputOptions extends ProfileOption {
  readonly json?: true;
}

interface CreateOptions extends OutputOptions {
  readonly secretKeyFile?: string;
  readonly publicKeyFile?: string;
}

type ApiKey = Awaited<ReturnType<Keyfront['keys']['list']>>['keys'][number];

const pageSize = 100;

/** `keyfront keys list|create|revoke`: the API keys of a signed-in wallet. */
export function addKeys(program: Command, cli: Cli): void {
  const keys = program
    .command('keys')
    .description('list, make and revoke API keys, with the profile of a wallet');
  const list = keys
    .command('list')
    .description('list all keys, revoked ones too')
    .option('--json', 'as JSON on one line')
    .action((options: OutputOptions) => listKeys(cli, options));
  const create = keys
    .command('create')
    .description('make a pair here and register its public key; the secret never leaves this machine')
    .argument('<name>', 'what you call the key')
    .option('--secret-key-file <file>', 'where to keep the secret, in a file that only you can read')
    .option('--public-key-file <file>', 'register this public key, whose secret is elsewhere')
    .option('--json', 'as JSON on one line')
    .action((name: string, options: CreateOptions) => createKey(cli, name, options));
  const revoke = keys
    .command('revoke')
    .description('revoke a key, at once and for good')
    .argument('<id>', 'as `keyfront keys list` shows it')
    .action((id: string, options: ProfileOption) => revokeKey(cli, id, options));
  for (const command of [list, create, revoke]) withProfile(command);
  withExamples(
    create,
    "keyfront keys create 'My storefront' --secret-key-file storefront.pem --profile wallet",
  );
  withExamples(revoke, 'keyfront keys revoke 019a8f3e-7c00-7000-8000-000000000001 --profile wallet');
}

async function openWithToken(cli: Cli, { profile }: ProfileOption): Promise<Keyfront> {
  const credentials = await getCredentials(cli, { profile, prefers: 'token' });
  if (!isKeyProfile(credentials)) return createKeyfront(cli, credentials);
  throw new Failure(
    'Keys belong to a wallet, and an API key cannot manage them: make a profile with ' +
      '`keyfront login --wallet-key-file FILE --profile wallet` and add --profile wallet',
    exitCodes.authentication,
  );
}

async function listKeys(cli: Cli, options: OutputOptions): Promise<void> {
  const keyfront = await openWithToken(cli, options);
  const keys: ApiKey[] = [];
  for (let page = 1, isMore = true; isMore; page++) {
    const found = await keyfront.keys.list({ page, take: pageSize }, { signal: cli.signal });
    keys.push(...found.keys);
    isMore = found.pageMetaDto.hasNextPage;
  }
  if (options.json) cli.output.write(`${compactJson(keys)}\n`);
  else
    cli.output.write(
      formatTable(['ID', 'NAME', 'TOKEN', 'CREATED', 'LAST USED', 'REVOKED'], keys.map(toRow)),
    );
}

function toRow({ id, keyName, tokenId, createdAt, lastUsedAt, revokedAt }: ApiKey): string[] {
  return [id, keyName, String(tokenId), createdAt, lastUsedAt ?? '-', revokedAt ?? '-'];
}

async function createKey(cli: Cli, keyName: string, options: CreateOptions): Promise<void> {
  const { secretKeyFile, publicKeyFile, json } = options;
  const keyfront = await openWithToken(cli, options);
  const register = (publicKey: string) =>
    keyfront.keys.create({ keyName, publicKey }, { signal: cli.signal });
  if ((secretKeyFile === undefined) === (publicKeyFile === undefined)) {
    throw misuse(
      'Say with --secret-key-file where to keep the secret, or with --public-key-file which key is yours',
    );
  }
  const created = secretKeyFile
    ? await withSecretKeyFile(secretKeyFile, register)
    : await register(encodePublicKey(readApiKey((await readContent(cli, publicKeyFile ?? '-')).toString())));
  const { secretKey: _none, ...shown } = created;
  if (json) cli.output.write(`${compactJson(shown)}\n`);
  else {
    cli.output.write(`Key ${shown.id} acts for the digital key ${shown.tokenId}\n`);
    if (secretKeyFile) cli.output.write(`Its secret is in ${secretKeyFile} and nowhere else\n`);
  }
}

async function revokeKey(cli: Cli, id: string, options: ProfileOption): Promise<void> {
  const keyfront = await openWithToken(cli, options);
  await keyfront.keys.revoke(id, { signal: cli.signal });
  cli.output.write(`Key ${id} is revoked\n`);
}
