import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService, withUsedDataFolder } from '../support/service-process.ts';
import { signBound } from '../support/sign-bound.ts';

interface Demo {
  readonly holders: readonly { readonly secretKey: string }[];
}

const rounds = 20;
const connections = 64;

it('a captured change is accepted once by 4 processes over 64 connections', { timeout: 120_000 }, () =>
  withUsedDataFolder(async (folder) => {
    const service = startService({ KEYFRONT_DATA: folder, WORKERS: '4', RATE_LIMIT: 'off', PORT: '0' });
    const baseUrl = await service.ready;
    const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
    const key = createPrivateKey(Buffer.from(demo.holders[0]?.secretKey ?? '', 'base64'));
    const url = `${baseUrl}/dapp/clients`;
    for (let round = 0; round < rounds; round++) {
      const body = JSON.stringify({
        firstName: 'Ada',
        lastName: 'Example',
        email: `${randomUUID()}@example.org`,
      });
      const headers = {
        'content-type': 'application/json',
        ...signBound(key, { method: 'POST', url, body }),
      };
      const statuses = await Promise.all(
        Array.from({ length: connections }, async () => {
          const answer = await fetch(url, { method: 'POST', headers, body });
          return `${answer.status} ${/the nonce was used before/.exec(answer.headers.get('www-authenticate') ?? '')}`;
        }),
      );
      const repeated = Array(connections - 1).fill('401 the nonce was used before');
      expect(statuses.toSorted()).toEqual(['201 null', ...repeated]);
    }
  }),
);
