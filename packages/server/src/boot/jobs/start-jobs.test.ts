import type { ServerResponse } from 'node:http';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { FakeChain, fakeMarketplace, fakeToken } from '../../../../../test/support/fake-chain.ts';
import { startFakeNode } from '../../../../../test/support/fake-node.ts';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { readConfig } from '../../config/config.ts';
import { startJobs } from './start-jobs.ts';

it('tells for how long the node of the chain has given no usable response, and its HTTP status', {
  tags: ['long'],
}, async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.close());
  const chain = new FakeChain(7, 2);
  for (let block = 1; block <= 3; block++) chain.mine([]);
  let isBroken = false;
  const node = await startFakeNode(chain, (response: ServerResponse) => {
    if (isBroken) response.writeHead(500).end('<html>Internal Server Error</html>');
    return isBroken;
  });
  onTestFinished(() => node.close());
  const lines: string[] = [];
  const registry = new Registry();
  const stop = startJobs({
    database: test.database,
    databaseUrl: test.loginUrl,
    config: readConfig({
      RPC_URL: node.url,
      CHAIN_ID: '7',
      TOKEN_CONTRACT: fakeToken,
      MARKETPLACE_CONTRACT: fakeMarketplace,
    }),
    dataCipher: null,
    logger: pino({}, { write: (line) => lines.push(line) }),
    registry,
  });
  onTestFinished(stop);
  const read = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  await until(
    () => read('chain_reader_block'),
    (block) => block === 3,
  );
  isBroken = true;
  await until(
    () => read('chain_reader_last_contact_seconds'),
    (seconds) => seconds > 2,
  );
  expect(lines.join('')).toContain('eth_getBlockByNumber: HTTP status 500');
  isBroken = false;
  await until(
    () => read('chain_reader_last_contact_seconds'),
    (seconds) => seconds < 1,
  );
  await stop();
  expect(await read('chain_reader_last_contact_seconds')).toBe(0);
});
