import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type ApiKey,
  type CreatedKey,
  type KeyListQuery,
  type KeyPage,
  type NewKey,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notFound, validationFailed } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { encodePublicKey, readPublicKey } from './key-encoding.ts';
import {
  countLiveKeys,
  insertKey,
  type KeyRecord,
  keyExists,
  listKeys,
  renameKey,
  revokeKeyRow,
} from './key-queries.ts';

export const mostLiveKeys = 100;

const makeKeyPair = promisify(generateKeyPair);

/** Issues a key for the holder's digital key; the secret is given out here and never again. */
export async function createKey(
  run: RunInTransaction,
  scope: HolderScope,
  input: NewKey,
): Promise<CreatedKey> {
  const keyName = input.keyName ?? input.label;
  if (keyName === undefined) throw validationFailed(['keyName is required']);
  const own =
    input.publicKey === undefined
      ? makeKeys()
      : { publicKey: readPublicKey(input.publicKey), secretKey: null };
  const [liveKeys, { publicKey, secretKey }] = await Promise.all([countLiveKeys(run, scope), own]);
  if (liveKeys >= mostLiveKeys) {
    throw new ApiError('API_KEY_LIMIT_REACHED', {
      message: `A holder has at most ${mostLiveKeys} live keys: revoke one first`,
    });
  }
  const inserted = await insertKey(run, scope, { keyName, publicKey });
  // The same for one's own and for another's: a public key that is in use is nobody else's business.
  if (!inserted) throw new ApiError('PUBLIC_KEY_REFUSED');
  const { lastUsedAt: _used, revokedAt: _revoked, ...key } = describe(inserted);
  return { ...key, secretKey };
}

/** The page of the holder's keys that a query asks for. */
export async function getKeyPage(
  database: Database,
  scope: HolderScope,
  query: KeyListQuery,
): Promise<KeyPage> {
  const page = pageRequest(query);
  const { keys, itemCount } = await listKeys(database, scope, page);
  return { keys: keys.map(describe), pageMetaDto: pageMeta(page, itemCount) };
}

/** Gives a key another name. */
export async function changeKey(
  database: Database,
  scope: HolderScope,
  id: string,
  keyName: string,
): Promise<ApiKey> {
  return describe((await renameKey(database, scope, id, keyName)) ?? (await refuseKey(database, id)));
}

/** Revokes a key for good. */
export async function revokeKey(database: Database, scope: HolderScope, id: string): Promise<ApiKey> {
  return describe((await revokeKeyRow(database, scope, id)) ?? (await refuseKey(database, id)));
}

async function refuseKey(database: Database, id: string): Promise<never> {
  if (await keyExists(database, id))
    throw new ApiError('NOT_OWNED', { message: 'The key belongs to another holder' });
  throw notFound('Key');
}

async function makeKeys(): Promise<{ publicKey: Buffer; secretKey: string }> {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = await makeKeyPair('ec', {
    namedCurve: 'secp256k1',
  });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    secretKey: Buffer.from(pem).toString('base64'),
  };
}

function describe({ publicKey, ...key }: KeyRecord): ApiKey {
  return { ...key, apiKey: encodePublicKey(publicKey) };
}
