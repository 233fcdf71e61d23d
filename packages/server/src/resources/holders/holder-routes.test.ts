import type { CreatedKey, Holder, OwnedNft } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuardedApp, readData, startGuardedApp } from '../../../../../test/support/guarded-app.ts';
import { runSql } from '../../../../../test/support/test-database.ts';

let service: GuardedApp;
let ada: string;
beforeAll(async () => {
  service = await startGuardedApp();
  ada = await service.signIn(service.ada);
});
afterAll(() => service.close());

describe('GET /dapp/users/me', () => {
  it('says who is signed in', async () => {
    expect(readData<Holder>(await service.call(ada, 'GET', '/dapp/users/me'))).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      walletAddress: service.ada.address,
      email: null,
      primaryNft: { tokenId: 1 },
      createdAt: expect.stringMatching(/Z$/),
    });
  });
});

describe('GET /dapp/users/nfts', () => {
  it('lists the digital keys of the holder and no others', async () => {
    const { nfts } = readData<{ nfts: OwnedNft[] }>(await service.call(ada, 'GET', '/dapp/users/nfts'));
    const planet = { number: 1, name: 'Verdane' };
    const acquiredAt = expect.stringMatching(/Z$/);
    expect(nfts).toEqual([
      { tokenId: 1, isPrimary: true, planet, acquiredAt },
      { tokenId: 2, isPrimary: false, planet, acquiredAt },
    ]);
  });
});

describe('PATCH /dapp/users/primary-nft', () => {
  const change = (tokenId: unknown) => service.call(ada, 'PATCH', '/dapp/users/primary-nft', { tokenId });

  it('moves new keys and the calls of the token, never existing keys', async () => {
    const before = readData<CreatedKey>(await service.call(ada, 'POST', '/keys', { keyName: 'Before' }));
    expect(readData<Holder>(await change(2))).toMatchObject({ primaryNft: { tokenId: 2 } });
    const after = readData<CreatedKey>(await service.call(ada, 'POST', '/keys', { keyName: 'After' }));
    expect(after.tokenId).toBe(2);
    const rows = await runSql<{ token_id: string }>(
      service.ownerUrl,
      'SELECT token_id FROM keyfront.api_keys WHERE id = $1',
      [before.id],
    );
    expect(rows).toEqual([{ token_id: '1' }]);
    await change(1);
  });

  it('is 403 for another’s digital key, 404 for none, 400 for what is no token id', async () => {
    expect((await change(3)).json).toMatchObject({
      statusCode: 403,
      message: 'The digital key belongs to another holder',
    });
    expect((await change(99)).json).toMatchObject({ statusCode: 404, message: 'Digital key not found' });
    expect((await change('1')).json).toMatchObject({
      statusCode: 400,
      data: ['tokenId must be an integer number'],
    });
    expect((await change(-1)).json).toMatchObject({
      statusCode: 400,
      data: ['tokenId must not be less than 0'],
    });
    expect((await change(undefined)).json).toMatchObject({ data: ['tokenId is required'] });
  });
});

describe('an administrator', () => {
  it('has no digital key to act for', async () => {
    const admin = await service.signIn(service.admin, 'admin');
    for (const path of ['/dapp/users/me', '/dapp/users/nfts', '/keys']) {
      expect((await service.call(admin, 'GET', path)).json).toMatchObject({
        statusCode: 403,
        message: 'This is for holders of a digital key: sign in as one',
      });
    }
    expect((await service.call(admin, 'GET', '/planets')).status).toBe(200);
  });
});
