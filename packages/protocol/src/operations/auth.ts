import { defineOperations, listBodyLimitBytes } from '../operation.ts';
import { EndedSessions, Session, SessionEndQuery, SessionList, SessionPath } from '../schemas/sessions.ts';
import { defaultSignInType, Nonce, NonceRequest, SignIn, SignInRequest } from '../schemas/sign-in.ts';
import { createdAt, ids, wallets } from './examples.ts';

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

const session = {
  id: ids.session,
  role: 'holder',
  domain: 'shop.example',
  createdAt,
  expiresAt: '2026-11-16T09:30:00.000Z',
  isCurrent: true,
};

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
    roundTrips: 1,
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
      'The second step of a sign-in. The token is valid for 24 hours, that of an administrator for one hour, or until its ' +
      'session is ended. If the message, the nonce or the signature is wrong, the `reason` of the 401 says ' +
      'which. A wallet that owns no digital key gets 403. If the response is lost, send the same request again within the ' +
      'five minutes of the nonce: it gives the same session.',
    status: 201,
    // The same message and signature give the same session.
    retry: 'safe',
    rateLimit: 'signIn',
    // The longest message and signature, in which characters may be escaped.
    bodyLimitBytes: listBodyLimitBytes,
    body: SignInRequest,
    response: SignIn,
    errors: ['SIGN_IN_FAILED', 'ADMINISTRATOR_REQUIRED', 'DIGITAL_KEY_REQUIRED'],
    roundTrips: 4,
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

  signOut: {
    method: 'POST',
    path: '/auth/signOut',
    access: 'jwt',
    needsNoDigitalKey: true,
    tag: 'Sign-in',
    sdk: 'auth.signOut',
    summary: 'Sign out',
    description:
      'Ends the session of the token. Takes effect before the response is sent, on every instance: no request that starts ' +
      'later is accepted with the token. Sending it again is a 401, because the token is no longer accepted.',
    status: 200,
    retry: 'safe',
    response: EndedSessions,
    // With a token that the service has not seen: one query for its session, and one for its holder.
    roundTrips: 5,
    example: { response: { endedCount: 1 } },
  },

  listSessions: {
    method: 'GET',
    path: '/auth/sessions',
    access: 'jwt',
    needsNoDigitalKey: true,
    tag: 'Sign-in',
    sdk: 'auth.listSessions',
    summary: 'List sessions',
    description:
      'Lists the live sessions of the wallet, newest first. A wallet has at most 100: a further sign-in ends the oldest one.',
    status: 200,
    retry: 'safe',
    response: SessionList,
    example: { response: { sessions: [session] } },
  },

  endSessions: {
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'jwt',
    needsNoDigitalKey: true,
    tag: 'Sign-in',
    sdk: 'auth.endSessions',
    summary: 'End all sessions',
    description:
      'Ends every session of the wallet, also those of an administrator. Takes effect before the response is sent, on every ' +
      'instance. API keys stay valid: revoke them with `DELETE /keys/{id}`.',
    status: 200,
    retry: 'safe',
    query: SessionEndQuery,
    response: EndedSessions,
    roundTrips: 3,
    example: { query: { keepCurrent: 'true' }, response: { endedCount: 2 } },
  },

  endSession: {
    method: 'DELETE',
    path: '/auth/sessions/{sessionId}',
    access: 'jwt',
    needsNoDigitalKey: true,
    tag: 'Sign-in',
    sdk: 'auth.endSession',
    summary: 'End a session',
    description:
      'Takes effect before the response is sent, on every instance. Ending a session again is a no-op.',
    status: 200,
    retry: 'safe',
    parameters: SessionPath,
    response: Session,
    errors: ['NOT_OWNED'],
    roundTrips: 2,
    example: {
      parameters: { sessionId: ids.session },
      response: { ...session, expiresAt: '2026-11-15T11:00:00.000Z', isCurrent: false },
    },
  },
});
