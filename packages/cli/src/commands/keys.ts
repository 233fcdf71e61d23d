import type { KeyObject } from 'node:crypto';
import {
  type ApiKey,
  type Keyfront,
  type KeyListQuery,
  type NewKey,
  proveKeyPossession,
  writeKeyProof,
} from '@keyfront/sdk';
import type { Command } from 'commander';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import {
  apiKeyOf,
  encodePublicKey,
  encodeSecretKey,
  readApiKey,
  readSecretKey,
} from '../credentials/key-pair.ts';
import { createKeyPairFile } from '../credentials/secret-key-file.ts';
import { withFlagNames } from '../flag-names.ts';
import { makeListCommand } from '../lists/list-command.ts';
import { openWalletClient, type WalletClient } from '../open-wallet-client.ts';
import { readFileOrStdin } from '../read-file-or-stdin.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import type { Column } from '../terminal/table.ts';
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

interface SettingOptions {
  readonly signatures?: string;
  readonly scopes?: string;
  readonly expiresAt?: string;
  readonly networks?: string;
}

interface CreateOptions extends ListOptions, SettingOptions {
  readonly secretKeyFile?: string;
  readonly ownKeyFile?: string;
  readonly publicKeyFile?: string;
  readonly proof?: string;
  readonly proofTime?: string;
}

interface UpdateOptions extends ListOptions, SettingOptions {
  readonly name?: string;
}

interface RotateOptions extends ListOptions {
  readonly secretKeyFile: string;
  readonly overlap?: string;
  readonly expiresAt?: string;
}

interface RevokeOptions extends ListOptions {
  readonly yes?: true;
}

const flags = {
  keyName: '<name>',
  publicKey: '--public-key-file',
  'proof.issuedAt': '--proof-time',
  'proof.signature': '--proof',
  id: '<id>',
  signatures: '--signatures',
  scopes: '--scopes',
  expiresAt: '--expires-at',
  allowedNetworks: '--networks',
  overlapSeconds: '--overlap',
};

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
    cell: (key) => describeStatus(key, (time) => ` ${time}`),
    shortCell: (key) => describeStatus(key, () => ''),
  },
  { title: 'SIGNATURES', cell: ({ signatures }) => signatures, leaveOutRank: 4 },
  { title: 'SCOPES', cell: ({ scopes }) => scopes?.join(',') ?? 'all', leaveOutRank: 5 },
  { title: 'NETWORKS', cell: ({ allowedNetworks }) => allowedNetworks?.join(',') ?? 'any', leaveOutRank: 6 },
  { title: 'SUCCESSOR', cell: ({ successorId }) => successorId ?? 'none', leaveOutRank: 7 },
];

/** An expiry is part of the status, so that nobody is surprised by it. */
function describeStatus(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  writeTime: (time: string) => string,
): string {
  if (revokedAt !== null) return `revoked${writeTime(revokedAt)}`;
  if (!expiresAt) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `active until ${expiresAt}` : `expired${writeTime(expiresAt)}`;
}

/** `keyfront keys list|create|update|rotate|revoke`: manages the API keys of a signed-in wallet. */
export function addKeys(program: Command, context: Context): void {
  const keys = program.command('keys');
  withDescription(
    keys,
    'List, create, change, replace and revoke API keys',
    'These commands need a profile that is signed in with a wallet. An API key cannot manage API keys.',
  );
  const list = keys.command('list');
  const create = keys
    .command('create')
    .argument('<name>', 'name of the key')
    .option('--secret-key-file <file>', 'new file for the secret key, readable only by you')
    .option('--own-key-file <file>', 'register the key pair of this secret key, which is not sent')
    .option(
      '--public-key-file <file>',
      'register this public key with a proof that was signed elsewhere, - for standard input',
    )
    .option(
      '--proof <signature>',
      'with --public-key-file: signature, in Base64, of the text that the command prints without this option',
    )
    .option('--proof-time <time>', 'with --proof: the time in that text')
    .action((name: string, options: CreateOptions) => createKey(context, name, options));
  const update = keys
    .command('update')
    .argument('<id>', 'ID of the key, from `keyfront keys list`')
    .option('--name <name>', 'new name of the key')
    .action((id: string, options: UpdateOptions) => updateKey(context, id, options));
  const rotate = keys
    .command('rotate')
    .argument('<id>', 'ID of the key, from `keyfront keys list`')
    .requiredOption(
      '--secret-key-file <file>',
      'new file for the secret key of the successor, readable only by you',
    )
    .option(
      '--overlap <seconds>',
      'for how long the old key is still accepted, at most 604800 (default: 86400)',
    )
    .option(
      '--expires-at <time>',
      'until when the successor is accepted, such as 2027-11-15T09:30:00Z, or never (default: as the old key)',
    )
    .action((id: string, options: RotateOptions) => rotateKey(context, id, options));
  for (const command of [create, update]) withKeySettings(command);
  const revoke = keys
    .command('revoke')
    .argument('<id>', 'ID of the key, from `keyfront keys list`')
    .action((id: string, options: RevokeOptions) => revokeKey(context, id, options));
  withDescription(list, 'List API keys, including revoked ones');
  withDescription(
    create,
    'Create an API key',
    'Generates a key pair on this machine and registers its public key, or registers a pair that you have. The secret key is ' +
      'never sent: it signs a proof that it is yours.',
  );
  withDescription(
    update,
    'Change the name or the settings of an API key',
    'What you leave out stays as it is.',
  );
  withDescription(
    rotate,
    'Replace an API key',
    'Generates a key pair on this machine and registers it as the successor, with the settings of the old key. The old key is ' +
      'accepted until the overlap ends.',
  );
  withDescription(
    revoke,
    'Revoke an API key',
    'The service rejects requests signed with the key from then on. This cannot be undone.',
  );
  withConfirmation(revoke);
  makeListCommand<ApiKey, KeyListQuery, Keyfront>(list, context, {
    operation: 'listKeys',
    columns,
    nothing: 'No API keys. Create one with `keyfront keys create`.',
    list: (keyfront, query, options) => keyfront.keys.list(query, options),
    open: openWithToken,
  });
  for (const command of [create, update, rotate, revoke]) withJson(command);
  for (const command of [create, update, rotate, revoke]) withConnection(command, context);
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
    "keyfront keys create 'My storefront' --own-key-file storefront.pem --profile wallet",
    "keyfront keys create 'My storefront' --public-key-file storefront.pub --profile wallet",
  );
  const id = '019a8f3e-7c00-7000-8000-000000000001';
  withExamples(
    update,
    context,
    `keyfront keys update ${id} --scopes orders:read,clients:read --signatures bound --profile wallet`,
    `keyfront keys update ${id} --scopes all --networks any --expires-at never --profile wallet`,
  );
  withExamples(
    rotate,
    context,
    `keyfront keys rotate ${id} --secret-key-file successor.pem --overlap 3600 --profile wallet`,
  );
  withExamples(revoke, context, revokeExample);
}

/** Adds the options for what a key may do. */
function withKeySettings(command: Command): Command {
  return command
    .option('--signatures <form>', 'which signatures are accepted: any or bound')
    .option('--scopes <scopes>', 'what the key may do, such as orders:read,clients:write, or all')
    .option('--expires-at <time>', 'until when the key is accepted, such as 2027-11-15T09:30:00Z, or never')
    .option('--networks <networks>', 'networks that requests may come from, such as 203.0.113.0/24, or any');
}

type KeySettings = Pick<NewKey, 'signatures' | 'scopes' | 'expiresAt' | 'allowedNetworks'>;

/** Reads the settings that were given. The service checks the values. */
function readKeySettings({ signatures, scopes, expiresAt, networks }: SettingOptions): KeySettings {
  return {
    ...(signatures === undefined ? {} : { signatures: signatures as 'any' | 'bound' }),
    ...(scopes === undefined ? {} : { scopes: readList(scopes, 'all') }),
    ...readExpiry(expiresAt),
    ...(networks === undefined ? {} : { allowedNetworks: readList(networks, 'any') }),
  };
}

function readExpiry(expiresAt: string | undefined): Pick<NewKey, 'expiresAt'> {
  return expiresAt === undefined ? {} : { expiresAt: expiresAt === 'never' ? null : expiresAt };
}

function readList(text: string, everything: string): string[] | null {
  return text === everything ? null : text.split(',').map((each) => each.trim());
}

async function openWithToken(context: Context, options: ConnectionOptions): Promise<Keyfront> {
  return (await openWallet(context, options)).keyfront;
}

function openWallet(context: Context, options: ConnectionOptions): Promise<WalletClient> {
  return openWalletClient(context, options, 'An API key cannot manage API keys.');
}

async function createKey(context: Context, keyName: string, options: CreateOptions): Promise<void> {
  const { secretKeyFile, ownKeyFile, publicKeyFile, proof, proofTime, json } = options;
  if (publicKeyFile === undefined && (proof !== undefined || proofTime !== undefined)) {
    throw usageError('--proof and --proof-time require --public-key-file');
  }
  if ([secretKeyFile, ownKeyFile, publicKeyFile].filter((file) => file !== undefined).length !== 1) {
    throw usageError(
      'Use one of --secret-key-file to generate a key pair, --own-key-file to register a pair that you have, and ' +
        '--public-key-file to register a public key with a proof that was signed elsewhere',
    );
  }
  const { keyfront, walletAddress } = await openWallet(context, options);
  if (walletAddress === null) {
    throw new CliError('The token does not name a wallet. Sign in again.', exitCodes.authentication);
  }
  const create = (own: OwnKey) =>
    withFlagNames(flags, () =>
      keyfront.keys.create({ keyName, ...own, ...readKeySettings(options) }, { signal: context.signal }),
    );
  const register = async (secretKey: KeyObject) =>
    create(
      await proveKeyPossession({
        walletAddress,
        publicKey: apiKeyOf(secretKey),
        key: encodeSecretKey(secretKey),
      }),
    );
  const created =
    secretKeyFile !== undefined
      ? await createKeyPairFile(secretKeyFile, register)
      : ownKeyFile !== undefined
        ? await register(
            readSecretKey(await readFileOrStdin(context, ownKeyFile), `--own-key-file ${ownKeyFile}`),
          )
        : await create(await readProvenKey(context, walletAddress, options));
  const { secretKey: _none, ...shown } = created;
  if (json) context.stdout.write(`${compactJson(shown)}\n`);
  else {
    context.stdout.write(`Created API key ${shown.id} for digital key ${shown.tokenId}.\n`);
    if (secretKeyFile) {
      context.stdout.write(`The secret key is in ${secretKeyFile}. Keep it safe: there is no other copy.\n`);
    }
  }
}

async function updateKey(context: Context, id: string, options: UpdateOptions): Promise<void> {
  const { name, json } = options;
  const change = { ...(name === undefined ? {} : { keyName: name }), ...readKeySettings(options) };
  if (Object.keys(change).length === 0) throw usageError('Use at least one option that changes the key');
  const keyfront = await openWithToken(context, options);
  const changed = await withFlagNames({ ...flags, keyName: '--name' }, () =>
    keyfront.keys.update(id, change, { signal: context.signal }),
  );
  context.stdout.write(json ? `${compactJson(changed)}\n` : `Changed API key ${id}.\n`);
}

async function rotateKey(context: Context, id: string, options: RotateOptions): Promise<void> {
  const { secretKeyFile, overlap, expiresAt, json } = options;
  if (overlap !== undefined && !/^\d+$/.test(overlap))
    throw usageError('--overlap must be a number of seconds');
  const { keyfront, walletAddress } = await openWallet(context, options);
  if (walletAddress === null) {
    throw new CliError('The token does not name a wallet. Sign in again.', exitCodes.authentication);
  }
  const { secretKey: _none, ...successor } = await createKeyPairFile(secretKeyFile, async (secretKey) => {
    const publicKey = apiKeyOf(secretKey);
    const own = await proveKeyPossession({ walletAddress, publicKey, key: encodeSecretKey(secretKey) });
    const rotation = {
      ...own,
      ...(overlap === undefined ? {} : { overlapSeconds: Number(overlap) }),
      ...readExpiry(expiresAt),
    };
    return withFlagNames(flags, () => keyfront.keys.rotate(id, rotation, { signal: context.signal }));
  });
  if (json) {
    context.stdout.write(`${compactJson(successor)}\n`);
    return;
  }
  context.stdout.write(
    `Created API key ${successor.id}, which replaces ${id}. The old key is accepted until ${successor.replaces.expiresAt}.\n` +
      `The secret key is in ${secretKeyFile}. Keep it safe: there is no other copy.\n`,
  );
}

type OwnKey = Pick<NewKey, 'publicKey' | 'proof'>;

/** Reads a public key whose proof was signed elsewhere. Without a proof, prints the text to sign. */
async function readProvenKey(
  context: Context,
  walletAddress: string,
  { publicKeyFile = '-', proof, proofTime }: CreateOptions,
): Promise<OwnKey> {
  const content = (await readFileOrStdin(context, publicKeyFile)).toString();
  const publicKey = encodePublicKey(readApiKey(content, `--public-key-file ${publicKeyFile}`));
  if (proof !== undefined && proofTime !== undefined) {
    return { publicKey, proof: { issuedAt: proofTime, signature: proof } };
  }
  const issuedAt = context.now().toISOString();
  // Without a line break: these are exactly the bytes to sign, so that the output can be piped to a signer.
  context.stdout.write(writeKeyProof({ walletAddress, publicKey, issuedAt }));
  throw usageError(
    'A proof that you have the secret key is missing. Sign the text on standard output, which has no line break at the end ' +
      `(ECDSA with SHA-256). Then run the command again within five minutes with --proof-time ${issuedAt} --proof ` +
      'and the signature in Base64.',
  );
}

async function revokeKey(context: Context, id: string, options: RevokeOptions): Promise<void> {
  const keyfront = await openWithToken(context, options);
  if (!options.yes) await confirm(context, `Revoke API key ${id}? This cannot be undone.`);
  const key = await withFlagNames(flags, () => keyfront.keys.revoke(id, { signal: context.signal }));
  context.stdout.write(`${options.json ? compactJson(key) : `Revoked API key ${id}.`}\n`);
}

function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}
