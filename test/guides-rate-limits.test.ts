import { expect, it } from 'vitest';
import { limits } from '../packages/server/src/limits/rates/limits.ts';
import { readCode, readDocument, readTables } from './support/guide-programs.ts';

const guide = readDocument('docs/guides/rate-limits.md');
const policies = Object.values(limits);

it('the guide to rate limits lists every limit with its numbers', () => {
  const [rows = []] = readTables(guide, 'The limits');
  expect(rows.map(([name = '', quota, per]) => [...readCode(name), quota, per])).toEqual(
    policies.map(({ name, quota, per }) => [
      name,
      quota.toLocaleString('en'),
      per === 'address' ? 'IP address' : 'credential',
    ]),
  );
});

it('the guide to rate limits names how fast each quota refills', () => {
  const { credential, failure, nonce, signIn } = limits;
  expect(policies.map(({ windowMs }) => windowMs)).toEqual(policies.map(() => 60_000));
  expect([credential, failure, nonce, signIn].map(({ intervalMs }) => intervalMs)).toEqual([
    20, 500, 1000, 1000,
  ]);
  expect(guide.replaceAll('\n', ' ')).toContain(
    'for `credential` one request every 20 milliseconds, for `failure` one every 500 milliseconds, ' +
      'for `nonce` and `signIn` one per second',
  );
});
