import { defineOperations } from '../operation.ts';
import { defaultSignInType, Nonce, NonceRequest, SignIn, SignInRequest } from '../schemas/sign-in.ts';
import { ids, wallets } from './examples.ts';

const nonce = '5f2b8a4c9e1d7036b8a4c9e1d70365f2';
const message = [
  'shop.example wants you to sign in with your Ethereum account:',
  wallets.holder,
  '',
  'Sign in to Keyfront. This sends no transaction and costs nothing.',
  '',
  'URI: https://shop.example/api/v1',
  'Version: 1',
  'Chain ID: 1',
  `Nonce: ${nonce}`,
  'Issued At: 2026-11-15T09:30:00.000Z',
  'Expiration Time: 2026-11-15T09:35:00.000Z',
  'Resources:',
  `- urn:keyfront:type:${defaultSignInType}`,
].join('\n');

export const authOperations = defineOperations({
  requestNonce: {
    method: 'POST',
    path: '/auth/nonce',
    access: 'public',
    tag: 'Sign-in',
    sdk: 'auth.nonce',
    summary: 'Request a nonce',
    description:
      'The first step of a sign-in. Let the wallet sign `message` unchanged, and send both to `POST /auth/signIn` within ' +
      'five minutes. You may write the ERC-4361 message yourself: use the same domain, URI, chain id and nonce, and for ' +
      'any type other than `dapp` the same resource `urn:keyfront:type:…`.',
    status: 201,
    retry: 'safe',
    rateLimit: 'nonce',
    bodyLimitBytes: 2 * 1024,
    body: NonceRequest,
    response: Nonce,
    example: {
      body: { walletAddress: wallets.holder, email: 'ada@example.org', type: 'dapp' },
      response: { nonce, message, expiresAt: '2026-11-15T09:35:00.000Z' },
    },
  },

  signIn: {
    method: 'POST',
    path: '/auth/signIn',
    access: 'public',
    tag: 'Sign-in',
    sdk: 'auth.signIn',
    summary: 'Sign in',
    description:
      'The second step of a sign-in. The token is valid for 24 hours, that of an administrator for one hour. If the message, the nonce or the signature is wrong, ' +
      'the `WWW-Authenticate` header of the 401 says which. A wallet that owns no digital key gets 403.',
    status: 201,
    // Repeating it does no harm: a used nonce is refused.
    retry: 'safe',
    rateLimit: 'signIn',
    // The longest message and signature, in which characters may be escaped.
    bodyLimitBytes: 32 * 1024,
    body: SignInRequest,
    response: SignIn,
    errors: ['SIGN_IN_FAILED', 'ADMINISTRATOR_REQUIRED', 'DIGITAL_KEY_REQUIRED'],
    example: {
      body: { message, signature: `0x${'5c'.repeat(65)}` },
      response: {
        token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…',
        expiresAt: '2026-11-16T09:31:00.000Z',
        holder: {
          id: ids.holder,
          walletAddress: wallets.holder,
          email: 'ada@example.org',
          primaryTokenId: 1001,
          tokenIds: [1001, 1002],
        },
      },
    },
  },
});
