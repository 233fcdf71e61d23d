import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import {
  administrator,
  expectRefused,
  nonceRefused,
  startSignInService,
} from '../../../../../test/support/sign-in-service.ts';
import { parseMessage } from './sign-in-message.ts';

const service = await startSignInService({ otherDomains: ['store.example', 'localhost:5173'] });
const { makeHolder, sessionsOf, post, askNonce } = service;
afterAll(() => service.close());

describe('signing in on the domain of a storefront', () => {
  const handIn = async (account: PrivateKeyAccount, message: string) =>
    post('signIn', { message, signature: await account.signMessage({ message }) });

  it.each([
    ['store.example', 'https://store.example'],
    ['localhost:5173', 'http://localhost:5173'],
    ['shop.example', 'https://shop.example/api/v1'],
  ])('puts %s and its URI into the message', async (domain, uri) => {
    const { account } = await makeHolder();
    const { message } = await askNonce({ walletAddress: account.address, domain });
    expect(parseMessage(message)).toMatchObject({ domain, uri });
    expect((await handIn(account, message)).status).toBe(201);
    expect(await sessionsOf(account)).toMatchObject([{ domain }]);
  });

  it('is the domain of the service if the request names none', async () => {
    const { message } = await askNonce({ walletAddress: administrator.address });
    expect(parseMessage(message)).toMatchObject({ domain: 'shop.example' });
  });

  it.each([
    'evil.example',
    'STORE.example',
    'store.example.evil.example',
    'store.example:443',
    ' store.example',
  ])('refuses the domain %j', async (domain) => {
    const request = { walletAddress: administrator.address, domain };
    expect((await post('nonce', request)).body).toMatchObject({
      statusCode: 400,
      data: ['domain must be one of the following values: shop.example, store.example, localhost:5173'],
    });
  });

  it('is for holders: an administrator signs in at the domain of the service only', async () => {
    const admin = { walletAddress: administrator.address, type: 'admin' };
    const { account } = await makeHolder();
    for (const walletAddress of [administrator.address, account.address]) {
      expect((await post('nonce', { ...admin, walletAddress, domain: 'store.example' })).body).toMatchObject({
        statusCode: 400,
        data: ['domain must be shop.example for the type admin: administrators sign in only there'],
      });
    }
    const { message } = await askNonce({ ...admin, domain: 'shop.example' });
    expect((await handIn(administrator, message)).status).toBe(201);
  });

  it('refuses a message of an administrator that was moved to the domain of a storefront', async () => {
    const request = { walletAddress: administrator.address };
    const { message } = await askNonce({ ...request, type: 'admin' });
    const moved = message
      .replace('shop.example', 'store.example')
      .replace(/URI: .*/, 'URI: https://store.example');
    expectRefused(
      await handIn(administrator, moved),
      'the domain of the message must be shop.example for the type admin',
    );
    const { message: ofHolder } = await askNonce({ ...request, domain: 'store.example' });
    expectRefused(
      await handIn(administrator, ofHolder.replace('type:dapp', 'type:admin')),
      'the domain of the message must be shop.example for the type admin',
    );
  });

  it('binds a nonce to the domain that it was requested for', async () => {
    const { account } = await makeHolder();
    const swap = async (requested: string, signed: string, uri: string) => {
      const { message } = await askNonce({ walletAddress: account.address, domain: requested });
      const changed = message.replace(requested, signed).replace(/URI: .*/, `URI: ${uri}`);
      return handIn(account, changed);
    };
    expectRefused(await swap('store.example', 'shop.example', 'https://shop.example/api/v1'), nonceRefused);
    expectRefused(await swap('shop.example', 'store.example', 'https://store.example'), nonceRefused);
    expectRefused(await swap('store.example', 'localhost:5173', 'http://localhost:5173'), nonceRefused);
    expectRefused(
      await swap('store.example', 'store.example', 'https://shop.example/api/v1'),
      'the URI of the message must be https://store.example',
    );
    expectRefused(
      await swap('store.example', 'evil.example', 'https://evil.example'),
      'the domain of the message must be shop.example or store.example or localhost:5173',
    );
  });
});
