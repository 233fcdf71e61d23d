import { defineOperations } from '../operation.ts';
import { ApiKey, CreatedKey, KeyChange, KeyListQuery, KeyPage, KeyPath, NewKey } from '../schemas/keys.ts';
import { createdAt, ids, onlyPage } from './examples.ts';

const key = {
  id: ids.key,
  keyName: 'My storefront',
  apiKey: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K…',
  tokenId: 1001,
  createdAt,
};
const listed = { ...key, lastUsedAt: '2026-11-15T10:00:00.000Z', revokedAt: null };

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
    response: CreatedKey,
    responseIsSecret: true,
    errors: ['HOLDER_REQUIRED', 'API_KEY_LIMIT_REACHED', 'KEY_PROOF_INVALID', 'PUBLIC_KEY_REFUSED'],
    example: {
      body: { keyName: 'My storefront' },
      response: { ...key, secretKey: 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg…' },
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

  renameKey: {
    method: 'PATCH',
    path: '/keys/{id}',
    access: 'jwt',
    tag: 'Keys',
    sdk: 'keys.rename',
    summary: 'Rename an API key',
    status: 200,
    retry: 'safe',
    parameters: KeyPath,
    body: KeyChange,
    response: ApiKey,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { id: ids.key },
      body: { keyName: 'My other storefront' },
      response: { ...listed, keyName: 'My other storefront' },
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
    example: {
      parameters: { id: ids.key },
      response: { ...listed, revokedAt: '2026-11-15T11:00:00.000Z' },
    },
  },
});
