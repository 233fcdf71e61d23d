import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { compileNetworks } from '../lib/network/networks.ts';
import { createLogger } from '../observability/logging.ts';
import { ConnectionDrainer } from './connection-draining.ts';
import { watchForwardedHeaders } from './forwarded-headers.ts';
import { defaultTimeouts, serverOptions } from './server-options.ts';

/** A service that responds with the address of the caller, and its warnings. */
function setUp(trustProxy: readonly string[]) {
  const warnings: string[] = [];
  const logger = createLogger('warn', { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const isTrustedProxy = compileNetworks(trustProxy);
  const app = fastify(serverOptions(logger, isTrustedProxy, defaultTimeouts, new ConnectionDrainer(), {}));
  const watch = watchForwardedHeaders(logger);
  app.get('/', (request) => {
    watch(request);
    return request.ip;
  });
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/', remoteAddress, headers })).body;
  return { ask, warnings };
}

const forwardedFor = (addresses: string) => ({ 'x-forwarded-for': addresses });

it('the address of the caller is the last one that is not of a trusted proxy', async () => {
  const { ask, warnings } = setUp(['loopback', '10.0.0.0/8', 'fd00::/8']);
  const forwarded = forwardedFor('192.0.2.1, 203.0.113.9');
  expect(await ask('10.1.2.3', forwarded)).toBe('203.0.113.9');
  expect(await ask('::ffff:10.1.2.3', forwarded)).toBe('203.0.113.9');
  expect(await ask('fd00::5', forwardedFor('2001:db8::7'))).toBe('2001:db8::7');
  expect(await ask('::1', forwarded)).toBe('203.0.113.9');
  expect(await ask('127.0.0.1', forwardedFor('203.0.113.9, 10.7.7.7'))).toBe('203.0.113.9');
  expect(warnings).toEqual([]);
  expect(await ask('203.0.113.77', forwarded)).toBe('203.0.113.77');
  expect(warnings).toHaveLength(1);
});

it('a forwarded address that is ignored is warned about once', async () => {
  const { ask, warnings } = setUp([]);
  await ask('10.1.2.3');
  expect(warnings).toEqual([]);
  expect(await ask('10.1.2.3', forwardedFor('203.0.113.9'))).toBe('10.1.2.3');
  await ask('10.1.2.3', forwardedFor('203.0.113.9'));
  await ask('10.1.2.4', { forwarded: 'for=203.0.113.9' });
  expect(warnings).toEqual([
    'A request from 10.1.2.3 carries a forwarded address, which is ignored: if 10.1.2.3 is your proxy, add it to ' +
      'TRUST_PROXY and let it set X-Forwarded-For. Otherwise all callers behind it share the rate limits of one address.',
  ]);
});
