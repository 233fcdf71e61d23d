import { defineOperations, listBodyLimitBytes } from '../operation.ts';
import {
  ApiKey,
  CreatedKey,
  KeyChange,
  KeyListQuery,
  KeyPage,
  KeyPath,
  KeyRotation,
  NewKey,
  RotatedKey,
} from '../schemas/keys.ts';
import { createdAt, ids, onlyPage } from './examples.ts';

const key = {
  id: ids.key,
  keyName: 'My storefront',
  apiKey: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K…',
  tokenId: 1001,
  signatures: 'any',
  scopes: null,
  expiresAt: null,
  allowedNetworks: null,
  createdAt,
};
const listed = { ...key, lastUsedAt: '2026-11-15T10:00:00.000Z', revokedAt: null, successorId: null };
const secretKey = 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg…';

export const keyOperations = defineOperations({
  createKey: {
    method: 'POST',
    path: '/keys',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.create',
    summary: 'Create an API key',
    description:
      'Creates an API key for the primary digital key of the holder. Only the response contains the secret ' +
      'key: the service stores no copy, except in the encrypted response that it keeps for 24 hours for an ' +
      '`Idempotency-Key`. Send your own `publicKey` with a `proof` of possession to keep the secret key to yourself.',
    status: 201,
    retry: 'idempotency-key',
    body: NewKey,
    bodyLimitBytes: listBodyLimitBytes,
    response: CreatedKey,
    errors: ['HOLDER_REQUIRED', 'API_KEY_LIMIT_REACHED', 'KEY_PROOF_INVALID', 'PUBLIC_KEY_REFUSED'],
    roundTrips: 4,
    example: {
      body: { keyName: 'My storefront' },
      response: { ...key, secretKey },
    },
  },

  listKeys: {
    method: 'GET',
    path: '/keys',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.list',
    summary: 'List API keys',
    description: 'Lists the API keys of the holder, newest first, including revoked ones.',
    status: 200,
    retry: 'safe',
    query: KeyListQuery,
    response: KeyPage,
    errors: ['HOLDER_REQUIRED'],
    example: { response: { keys: [listed], pageMetaDto: onlyPage } },
  },

  updateKey: {
    method: 'PATCH',
    path: '/keys/{id}',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.update',
    summary: 'Change an API key',
    description:
      'Changes the name or the settings of an API key. Takes effect before the response is sent, on every instance. A key that is ' +
      'revoked or has expired keeps its `expiresAt`, and one with a successor accepts only an earlier one.',
    status: 200,
    retry: 'safe',
    parameters: KeyPath,
    body: KeyChange,
    bodyLimitBytes: listBodyLimitBytes,
    response: ApiKey,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'API_KEY_ENDED'],
    roundTrips: 3,
    example: {
      parameters: { id: ids.key },
      body: { keyName: 'My other storefront', scopes: ['orders:read', 'clients:read'] },
      response: { ...listed, keyName: 'My other storefront', scopes: ['orders:read', 'clients:read'] },
    },
    variants: { 'and only its name': { body: { keyName: 'My other storefront' }, roundTrips: 2 } },
  },

  rotateKey: {
    method: 'POST',
    path: '/keys/{id}/rotate',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.rotate',
    summary: 'Replace an API key',
    description:
      'Creates a successor with the name, the digital key and the settings of an API key. Its `expiresAt` is that of the old key, ' +
      'unless the body names another one or null. The old key is accepted for `overlapSeconds` more, at most seven days, so that a storefront can switch to the new key without an interruption.',
    status: 201,
    retry: 'idempotency-key',
    parameters: KeyPath,
    body: KeyRotation,
    response: RotatedKey,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'API_KEY_ENDED',
      'API_KEY_LIMIT_REACHED',
      'KEY_PROOF_INVALID',
      'PUBLIC_KEY_REFUSED',
    ],
    // The old key is not locked while the successor is created, so its update tells whether it was still live.
    roundTrips: { first: 8, replayed: 5 },
    example: {
      parameters: { id: ids.key },
      body: { overlapSeconds: 3600 },
      response: {
        ...key,
        id: '019a8f3e-7c00-7000-8000-0000000000f1',
        secretKey,
        replaces: { id: ids.key, expiresAt: '2026-11-15T10:30:00.000Z' },
      },
    },
  },

  revokeKey: {
    method: 'DELETE',
    path: '/keys/{id}',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.revoke',
    summary: 'Revoke an API key',
    description:
      'Takes effect before the response is sent, on every instance: no request that starts later is accepted with the key.',
    status: 200,
    retry: 'safe',
    parameters: KeyPath,
    response: ApiKey,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    // And one more each time that a process still has the key in its cache.
    roundTrips: 3,
    example: {
      parameters: { id: ids.key },
      response: { ...listed, revokedAt: '2026-11-15T11:00:00.000Z' },
    },
  },
});
