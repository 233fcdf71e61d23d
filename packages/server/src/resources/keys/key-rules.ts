import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type ApiKey,
  type CreatedKey,
  type KeyChange,
  type KeyListQuery,
  type KeyPage,
  type KeyRotation,
  type NewKey,
  overlapOf,
  type RotatedKey,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { convertAt } from '../../database/queries/list-at.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound, validationFailed } from '../../lib/errors/api-error.ts';
import { checkKeyProof } from './check-key-proof.ts';
import { encodePublicKey, readPublicKey } from './key-encoding.ts';
import {
  changeKeySettings,
  countLiveKeys,
  findKey,
  findKeyToReplace,
  insertKey,
  type KeyRecord,
  keyExists,
  listKeys,
  listKeysAt,
  type NewKeyRecord,
  renameKey,
  replaceKey,
  revokeKeyRow,
} from './key-queries.ts';
import { readKeySettings } from './key-settings.ts';

const maxLiveKeys = 100;

const generateKeyPairAsync = promisify(generateKeyPair);

/** Creates a key for the digital key of the scope. The secret is returned only here. */
export async function createKey(
  tx: RunInTransaction,
  scope: HolderScope,
  input: NewKey,
): Promise<CreatedKey> {
  const keyName = input.keyName ?? input.label;
  if (keyName === undefined) throw new Error('The schema requires keyName or label');
  const settings = { ...defaultSettings, ...readKeySettings(input) };
  return insertNewKey(tx, scope, input, { ...settings, keyName, tokenId: scope.tokenId });
}

const defaultSettings = { signatures: 'any', scopes: null, expiresAt: null, allowedNetworks: null } as const;

/** Inserts a key. `endingKeys` live keys end in the same transaction, so they do not count. */
async function insertNewKey(
  tx: RunInTransaction,
  scope: HolderScope,
  input: Pick<NewKey, 'publicKey' | 'proof'>,
  record: Omit<NewKeyRecord, 'publicKey'>,
  endingKeys = 0,
): Promise<CreatedKey> {
  if (input.proof && input.publicKey === undefined)
    throw validationFailed(['proof is for your own publicKey only']);
  const own = input.publicKey === undefined ? generateKeys() : readOwnKey(input, scope);
  const [liveKeys, { publicKey, secretKey }] = await Promise.all([countLiveKeys(tx, scope), own]);
  if (liveKeys - endingKeys >= maxLiveKeys) {
    throw new ApiError('API_KEY_LIMIT_REACHED', {
      message: `A holder has at most ${maxLiveKeys} live keys: revoke one first`,
    });
  }
  const inserted = await insertKey(tx, scope, { ...record, publicKey });
  // The same error for the caller's own key and another holder's: it must not reveal who uses a public key.
  if (!inserted) throw new ApiError('PUBLIC_KEY_REFUSED');
  const { lastUsedAt: _used, revokedAt: _revoked, successorId: _none, ...key } = toKey(inserted);
  return { ...key, secretKey };
}

/** Creates the successor of a key, with the same settings, and lets the key end after the overlap. */
export async function rotateKey(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  id: string,
  input: KeyRotation,
): Promise<RotatedKey> {
  const given = readKeySettings(input);
  const old = (await findKeyToReplace(tx, id)) ?? (await throwKeyNotOwned(database, id));
  if (!old.isLive) throw new ApiError('API_KEY_ENDED');
  const { keyName, tokenId, signatures, scopes, allowedNetworks, expiresAt } = old;
  const settings = { keyName, tokenId, signatures, scopes, allowedNetworks, expiresAt, ...given };
  const overlapSeconds = overlapOf(input);
  const created = await insertNewKey(tx, scope, input, settings, overlapSeconds === 0 ? 1 : 0);
  // Another request may have ended the key meanwhile. The successor is then not created either.
  const replaced = await replaceKey(tx, id, created.id, overlapSeconds);
  if (!replaced) throw new ApiError('API_KEY_ENDED');
  return { ...created, replaces: { id, expiresAt: replaced.endsAt } };
}

/** Gets one page of keys of the holder. */
export async function getKeyPage(
  database: Database,
  scope: HolderScope,
  query: KeyListQuery,
): Promise<KeyPage> {
  const { items, pageMetaDto } = await getPage(query, (page) => listKeys(database, scope, page));
  return { keys: items.map(toKey), pageMetaDto };
}

/** Changes the name or the settings of a key. */
export async function changeKey(
  database: Database,
  scope: HolderScope,
  id: string,
  { keyName, ...input }: KeyChange,
): Promise<ApiKey> {
  const settings = readKeySettings(input);
  const isOnlyName = keyName !== undefined && Object.keys(settings).length === 0;
  // No process needs to learn a new name.
  const changed = isOnlyName
    ? await renameKey(database, scope, id, keyName)
    : await changeKeySettings(database, scope, id, {
        ...settings,
        ...(keyName === undefined ? {} : { keyName }),
      });
  return toKey(changed ?? (await throwNotChanged(database, scope, id)));
}

/** Throws why a key was not changed: it would end later than it may, or is not in the scope. */
async function throwNotChanged(database: Database, scope: HolderScope, id: string): Promise<never> {
  const key = await findKey(database, scope, id);
  if (!key) return throwKeyNotOwned(database, id);
  const { revokedAt, successorId, expiresAt } = key;
  const isReplaced = revokedAt === null && successorId !== null && Date.parse(expiresAt ?? '') > Date.now();
  throw new ApiError('API_KEY_ENDED', {
    message: isReplaced
      ? `The API key has a successor, so it cannot end later than ${expiresAt}`
      : 'The API key has ended: create a new one',
  });
}

/** Revokes a key permanently. */
export async function revokeKey(database: Database, scope: HolderScope, id: string): Promise<ApiKey> {
  return toKey((await revokeKeyRow(database, scope, id)) ?? (await throwKeyNotOwned(database, id)));
}

async function throwKeyNotOwned(database: Database, id: string): Promise<never> {
  if (await keyExists(database, id))
    throw new ApiError('NOT_OWNED', { message: 'The key belongs to another holder' });
  throw notFound('Key');
}

/** Reads the caller's own public key, of which they must have the secret key. */
function readOwnKey(
  input: Pick<NewKey, 'publicKey' | 'proof'>,
  { walletAddress }: HolderScope,
): { publicKey: Buffer; secretKey: null } {
  const key = readPublicKey(input.publicKey ?? '');
  checkKeyProof(input, key, walletAddress);
  return { publicKey: key.spki, secretKey: null };
}

async function generateKeys(): Promise<{ publicKey: Buffer; secretKey: string }> {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    await generateKeyPairAsync('ec', {
      namedCurve: 'secp256k1',
    });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    secretKey: Buffer.from(pem).toString('base64'),
  };
}

/** Describes keys as they were at these snapshots. */
export const describeKeysAt = convertAt(listKeysAt, toKey);

function toKey({ publicKey, ...key }: KeyRecord): ApiKey {
  return { ...key, apiKey: encodePublicKey(publicKey) };
}
