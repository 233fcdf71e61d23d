import { defaultSignInType, Nonce, NonceRequest, SignIn, SignInRequest } from '@keyfront/protocol';
import { refuseCredential } from '../../auth/challenge.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { findChain, type NodeSettings } from '../../chain/smart-wallet.ts';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import { createNonce } from './nonces.ts';
import { writeMessage } from './sign-in-message.ts';
import { SignInRefused, signIn } from './sign-in-rules.ts';

export interface SignInParts {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly signIn: SignInSettings;
}

export interface SignInSettings extends NodeSettings {
  /** Functions, because the base address may be known only when the service listens. */
  readonly domain: () => string;
  readonly uri: () => string;
  readonly adminWallets: readonly string[];
}

const message = writeMessage({
  domain: 'shop.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  uri: 'https://shop.example/api/v1',
  chainId: 1,
  nonce: '5f2b8a4c9e1d7036b8a4c9e1d70365f2',
  issuedAt: '2026-11-15T09:30:00.000Z',
  expirationTime: '2026-11-15T09:35:00.000Z',
  type: defaultSignInType,
});

export function addSignInRoutes(router: Router, { database, tokens, signIn: settings }: SignInParts): void {
  const expected = () => ({ domain: settings.domain(), uri: settings.uri(), chainId: settings.chainId });
  const chain = findChain(settings);
  const administratorWallets = new Set(settings.adminWallets.map((wallet) => wallet.toLowerCase()));

  router.add(
    {
      method: 'POST',
      path: '/auth/nonce',
      access: 'public',
      id: 'requestNonce',
      tag: 'Sign-in',
      summary: 'Request a nonce',
      description:
        'The first step of a sign-in. Let the wallet sign `message` as it stands, and hand both in within five minutes. ' +
        'A message of your own is accepted too: ERC-4361 with the same domain, URI, chain id and nonce, and for any ' +
        'other type than `dapp` with the resource `urn:keyfront:type:…` of this one.',
      limit: 'nonce',
      status: 201,
      body: NonceRequest,
      answer: Nonce,
      example: { nonce: '5f2b8a4c9e1d7036b8a4c9e1d70365f2', message, expiresAt: '2026-11-15T09:35:00.000Z' },
    },
    ({ body }) => createNonce(database, expected(), body),
  );

  router.add(
    {
      method: 'POST',
      path: '/auth/signIn',
      access: 'public',
      id: 'signIn',
      tag: 'Sign-in',
      summary: 'Sign in',
      description:
        'The second step. A message, nonce or signature that is not right is a 401 whose `WWW-Authenticate` says which; ' +
        'a wallet that owns no digital key is a 403. The token is good for 24 hours.',
      limit: 'signIn',
      status: 201,
      body: SignInRequest,
      answer: SignIn,
      errors: ['TOKEN_REFUSED', 'FORBIDDEN'],
      example: {
        token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…',
        expiresAt: '2026-11-16T09:31:00.000Z',
        holder: {
          id: '019a8f3e-7c00-7000-8000-000000000042',
          walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
          email: 'ada@example.org',
          primaryTokenId: 42,
          tokenIds: [42, 77],
        },
      },
    },
    async ({ body }) => {
      const { holder, ...claims } = await signIn(
        database,
        { ...expected(), chain, administratorWallets },
        body,
      ).catch((error) => {
        throw error instanceof SignInRefused ? refuseCredential('jwt', 'Bearer', error.message) : error;
      });
      return { ...(await tokens.issue(claims)), holder };
    },
  );
}
