import { ApiKey, CreatedKey, KeyChange, KeyListQuery, KeyPage, KeyPath, NewKey } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { changeKey, createKey, getKeyPage, revokeKey } from './key-rules.ts';

const key = {
  id: '019a8f3e-7c00-7000-8000-000000000101',
  keyName: 'My storefront',
  apiKey: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K…',
  tokenId: 1001,
  createdAt: '2026-11-15T09:30:00.000Z',
};
const listed = { ...key, lastUsedAt: '2026-11-15T10:00:00.000Z', revokedAt: null };

export function addKeyRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'POST',
      path: '/keys',
      access: 'jwt',
      id: 'createKey',
      tag: 'Keys',
      summary: 'Create an API key',
      description:
        'For the primary digital key of the holder. The secret is shown once and stored nowhere; hand in a ' +
        '`publicKey` of your own and there is none to show.',
      status: 201,
      body: NewKey,
      answer: CreatedKey,
      responseIsSecret: true,
      example: { ...key, secretKey: 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg…' },
    },
    ({ scope, body, run }) => createKey(run, requireHolder(scope), body),
  );

  router.add(
    {
      method: 'GET',
      path: '/keys',
      access: 'jwt',
      id: 'listKeys',
      tag: 'Keys',
      summary: 'List API keys',
      description: 'The keys of the holder, the newest first, revoked ones included.',
      query: KeyListQuery,
      answer: KeyPage,
      example: {
        keys: [listed],
        pageMetaDto: onlyPage,
      },
    },
    ({ scope, query }) => getKeyPage(database, requireHolder(scope), query),
  );

  router.add(
    {
      method: 'PATCH',
      path: '/keys/:id',
      access: 'jwt',
      id: 'renameKey',
      tag: 'Keys',
      summary: 'Rename an API key',
      parameters: KeyPath,
      body: KeyChange,
      answer: ApiKey,
      example: listed,
    },
    ({ scope, parameters, body }) => changeKey(database, requireHolder(scope), parameters.id, body.keyName),
  );

  router.add(
    {
      method: 'DELETE',
      path: '/keys/:id',
      access: 'jwt',
      id: 'revokeKey',
      tag: 'Keys',
      summary: 'Revoke an API key',
      description:
        'At once and everywhere: when this is answered, no request that begins later passes with the key.',
      parameters: KeyPath,
      answer: ApiKey,
      example: { ...listed, revokedAt: '2026-11-15T11:00:00.000Z' },
    },
    ({ scope, parameters }) => revokeKey(database, requireHolder(scope), parameters.id),
  );
}
