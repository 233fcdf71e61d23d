import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import {
  administrator,
  expectRefused,
  nonceRefused,
  respellSignature,
  startSignInService,
} from '../../../../../test/support/sign-in-service.ts';

const service = await startSignInService();
const { sql, makeHolder, sessionsOf, post, askNonce } = service;
afterAll(() => service.close());

describe('a sign-in whose response was lost', () => {
  async function signInOnce(request: { type?: string; account?: PrivateKeyAccount } = {}) {
    const { account = (await makeHolder()).account, type = 'dapp' } = request;
    const { message } = await askNonce({ walletAddress: account.address, type });
    const body = { message, signature: await account.signMessage({ message }) };
    return { account, body, answer: await post('signIn', body) };
  }

  it('gives the same token to the same request', async () => {
    const { account, body, answer } = await signInOnce();
    expect(answer.status).toBe(201);
    expect(await post('signIn', body)).toEqual(answer);
    expect(await sessionsOf(account)).toHaveLength(1);
  });

  it('is refused to another signature of the same message', async () => {
    const { body } = await signInOnce();
    const signature = respellSignature(body.signature);
    expectRefused(await post('signIn', { ...body, signature }), nonceRefused);
    expectRefused(await post('signIn', { ...body, signature: `0x${'11'.repeat(65)}` }), nonceRefused);
  });

  it('is refused when the nonce would have expired', async () => {
    const { account, body } = await signInOnce();
    await sql('UPDATE keyfront.sessions SET repeatable_until = now() WHERE wallet_address = $1', [
      account.address.toLowerCase(),
    ]);
    expectRefused(await post('signIn', body), nonceRefused);
  });

  it('is refused when the session was ended', { tags: ['long'] }, async () => {
    const { account, body } = await signInOnce();
    await sql('UPDATE keyfront.sessions SET expires_at = now() WHERE wallet_address = $1', [
      account.address.toLowerCase(),
    ]);
    expectRefused(await post('signIn', body), nonceRefused);
    expect(await sessionsOf(account)).toHaveLength(1);
  });

  it('is refused when the wallet has lost its digital keys', async () => {
    const { account, body } = await signInOnce();
    const { account: buyer } = await makeHolder();
    await sql(`UPDATE keyfront.holders SET primary_token_id = NULL WHERE wallet_address = $1`, [
      account.address.toLowerCase(),
    ]);
    await sql(
      `UPDATE keyfront.digital_keys SET holder_id = buyers.id FROM keyfront.holders, keyfront.holders AS buyers
       WHERE holders.id = holder_id AND holders.wallet_address = $1 AND buyers.wallet_address = $2`,
      [account.address.toLowerCase(), buyer.address.toLowerCase()],
    );
    expect(await post('signIn', body)).toMatchObject({
      status: 403,
      body: { code: 'DIGITAL_KEY_REQUIRED' },
    });
  });

  it('gives an administrator the same token', async () => {
    const { body, answer } = await signInOnce({ account: administrator, type: 'admin' });
    expect(answer.status).toBe(201);
    expect(await post('signIn', body)).toEqual(answer);
  });
});
