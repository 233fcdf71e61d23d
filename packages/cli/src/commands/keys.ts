import type { ApiKey, Keyfront } from '@keyfront/sdk';
import type { Command } from 'commander';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, clientOptions, createClient } from '../create-client.ts';
import { getCredentials } from '../credentials/get-credentials.ts';
import { encodePublicKey, readApiKey } from '../credentials/key-pair.ts';
import { isKeyProfile } from '../credentials/profiles.ts';
import { createKeyPairFile } from '../credentials/secret-key-file.ts';
import { withFlagNames } from '../flag-names.ts';
import { readFileOrStdin } from '../read-file-or-stdin.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import {
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withJson,
} from './shared-options.ts';

interface ListOptions extends ConnectionOptions {
  readonly json?: true;
}

interface CreateOptions extends ListOptions {
  readonly secretKeyFile?: string;
  readonly publicKeyFile?: string;
}

interface RevokeOptions extends ConnectionOptions {
  readonly yes?: true;
}

const flags = { keyName: '<name>', publicKey: '--public-key-file', id: '<id>' };

/** The ID is never cut, because `keys revoke` needs all of it. */
const columns: readonly Column<ApiKey>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ keyName }) => keyName, minWidth: 10 },
  { title: 'TOKEN', cell: ({ tokenId }) => String(tokenId), leaveOutRank: 1 },
  {
    title: 'CREATED',
    cell: ({ createdAt }) => createdAt,
    shortCell: ({ createdAt }) => dayOf(createdAt),
    leaveOutRank: 3,
  },
  {
    title: 'LAST USED',
    cell: ({ lastUsedAt }) => lastUsedAt ?? 'never',
    shortCell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : dayOf(lastUsedAt)),
    leaveOutRank: 2,
  },
  {
    title: 'STATUS',
    cell: ({ revokedAt }) => (revokedAt === null ? 'active' : `revoked ${revokedAt}`),
    shortCell: ({ revokedAt }) => (revokedAt === null ? 'active' : 'revoked'),
  },
];

/** `keyfront keys list|create|revoke`: manages the API keys of a signed-in wallet. */
export function addKeys(program: Command, context: Context): void {
  const keys = program.command('keys');
  withDescription(
    keys,
    'List, create and revoke API keys',
    'These commands need a profile that is signed in with a wallet. An API key cannot manage API keys.',
  );
  const list = keys.command('list').action((options: ListOptions) => listKeys(context, options));
  const create = keys
    .command('create')
    .argument('<name>', 'name of the key')
    .option('--secret-key-file <file>', 'new file for the secret key, readable only by you')
    .option(
      '--public-key-file <file>',
      'register this public key instead of generating a pair, - for standard input',
    )
    .action((name: string, options: CreateOptions) => createKey(context, name, options));
  const revoke = keys
    .command('revoke')
    .argument('<id>', 'ID of the key, from `keyfront keys list`')
    .action((id: string, options: RevokeOptions) => revokeKey(context, id, options));
  withDescription(list, 'List all API keys, including revoked ones');
  withDescription(
    create,
    'Create an API key',
    'Generates a key pair on this machine and registers its public key. The secret key is never sent.',
  );
  withDescription(
    revoke,
    'Revoke an API key',
    'The service rejects requests signed with the key from then on. This cannot be undone.',
  );
  withConfirmation(revoke);
  for (const command of [list, create]) withJson(command);
  for (const command of [list, create, revoke]) withConnection(command, context);
  const createExample =
    "keyfront keys create 'My storefront' --secret-key-file storefront.pem --profile wallet";
  const revokeExample = 'keyfront keys revoke 019a8f3e-7c00-7000-8000-000000000001 --profile wallet';
  const listExamples = [
    'keyfront keys list --profile wallet',
    "keyfront keys list --json --profile wallet | jq -r '.[] | select(.revokedAt == null) | .id'",
  ];
  withExamples(
    keys,
    context,
    'keyfront login --wallet-key-file wallet.txt --profile wallet',
    'keyfront keys list --profile wallet',
    createExample,
    revokeExample,
  );
  withExamples(list, context, ...listExamples);
  withExamples(
    create,
    context,
    createExample,
    "keyfront keys create 'My storefront' --public-key-file storefront.pub --profile wallet",
  );
  withExamples(revoke, context, revokeExample);
}

async function openWithToken(context: Context, options: ConnectionOptions): Promise<Keyfront> {
  const credentials = await getCredentials(context, { profile: options.profile, prefers: 'token' });
  if (!isKeyProfile(credentials)) return createClient(context, credentials, clientOptions(context, options));
  throw new CliError(
    'An API key cannot manage API keys. Sign in with the wallet (`keyfront login --wallet-key-file FILE --profile ' +
      'wallet`), then add --profile wallet.',
    exitCodes.authentication,
  );
}

async function listKeys(context: Context, options: ListOptions): Promise<void> {
  const { stdout, stderr, signal } = context;
  const keyfront = await openWithToken(context, options);
  const keys: ApiKey[] = [];
  for await (const key of keyfront.keys.list({}, { signal })) keys.push(key);
  if (options.json) stdout.write(`${compactJson(keys)}\n`);
  else if (keys.length > 0) stdout.write(formatTable(columns, keys, stdout));
  else stderr.write('No API keys. Create one with `keyfront keys create`.\n');
}

async function createKey(context: Context, keyName: string, options: CreateOptions): Promise<void> {
  const { secretKeyFile, publicKeyFile, json } = options;
  if ((secretKeyFile === undefined) === (publicKeyFile === undefined)) {
    throw usageError(
      'Use either --secret-key-file to generate a key pair or --public-key-file to register your own public key',
    );
  }
  const keyfront = await openWithToken(context, options);
  const register = (publicKey: string) =>
    withFlagNames(flags, () => keyfront.keys.create({ keyName, publicKey }, { signal: context.signal }));
  const created = secretKeyFile
    ? await createKeyPairFile(secretKeyFile, register)
    : await register(
        encodePublicKey(readApiKey((await readFileOrStdin(context, publicKeyFile ?? '-')).toString())),
      );
  const { secretKey: _none, ...shown } = created;
  if (json) context.stdout.write(`${compactJson(shown)}\n`);
  else {
    context.stdout.write(`Created API key ${shown.id} for digital key ${shown.tokenId}.\n`);
    if (secretKeyFile) {
      context.stdout.write(`The secret key is in ${secretKeyFile}. Keep it safe: there is no other copy.\n`);
    }
  }
}

async function revokeKey(context: Context, id: string, options: RevokeOptions): Promise<void> {
  const keyfront = await openWithToken(context, options);
  if (!options.yes) await confirm(context, `Revoke API key ${id}? This cannot be undone.`);
  await withFlagNames(flags, () => keyfront.keys.revoke(id, { signal: context.signal }));
  context.stdout.write(`Revoked API key ${id}.\n`);
}

function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}
