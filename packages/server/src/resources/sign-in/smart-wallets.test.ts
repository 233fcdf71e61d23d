import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SignIn } from '@keyfront/protocol';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  expectRefused,
  nonceRefused,
  startSignInService,
} from '../../../../../test/support/sign-in-service.ts';

/** What the node, which is not ours, says of a signature. */
let verdict: string | null;
let callCount = 0;
const failures: unknown[] = [];

const node = createServer(async (request, response) => {
  const { method } = JSON.parse(await text(request));
  callCount++;
  if (verdict === null) response.writeHead(502).end('<h1>Bad gateway</h1>');
  else
    response.end(JSON.stringify({ id: 1, jsonrpc: '2.0', result: method === 'eth_call' ? verdict : '0x1' }));
}).listen(0, '127.0.0.1');
await once(node, 'listening');
const { port } = node.address() as AddressInfo;
const service = await startSignInService({
  rpcUrl: `http://127.0.0.1:${port}/`,
  onRpcFailure: (error) => failures.push(error),
});
const { makeHolder, sessionsOf, post, askNonce } = service;
afterAll(async () => {
  await service.close();
  node.closeAllConnections();
  node.close();
});

describe('signing in with a smart wallet', () => {
  beforeEach(() => {
    callCount = 0;
    failures.length = 0;
  });

  const handIn = async (account: PrivateKeyAccount) => {
    const { message } = await askNonce({ walletAddress: account.address });
    return { message, signature: `0x${'ab'.repeat(96)}` };
  };

  it('begins one session where the chain says so', async () => {
    const { account } = await makeHolder();
    verdict = '0x01';
    const body = await handIn(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('signIn', body)));
    expect(new Set(answers.map(({ body }) => (body.data as SignIn).token)).size).toBe(1);
    expect(await sessionsOf(account)).toHaveLength(1);
    const callsBefore = callCount;
    expect(await post('signIn', body)).toEqual(answers[0]);
    expect(callCount).toBe(callsBefore);
  });

  it('is rejected where the chain says no or nothing, and the nonce stays good', {
    tags: ['long'],
  }, async () => {
    const { account } = await makeHolder();
    const body = await handIn(account);
    verdict = '0x00';
    const mismatch = 'the signature does not match the address of the message';
    expectRefused(await post('signIn', body), mismatch);
    expect(failures).toEqual([]);
    verdict = null;
    expectRefused(
      await post('signIn', body),
      'the signature could not be verified on the chain: try again later',
    );
    expect(failures).toHaveLength(1);
    verdict = '0x01';
    expect((await post('signIn', body)).status).toBe(201);
  });

  it('does not ask the chain for a message whose nonce is not good, nor for an ordinary wallet', async () => {
    const { account } = await makeHolder();
    verdict = '0x01';
    const { message, signature } = await handIn(account);
    const forged = message.replace(/Nonce: .*/, 'Nonce: 12345678901234567890');
    expectRefused(await post('signIn', { message: forged, signature }), nonceRefused);
    const own = { message, signature: await account.signMessage({ message }) };
    expect((await post('signIn', own)).status).toBe(201);
    expect(callCount).toBe(0);
  });
});
