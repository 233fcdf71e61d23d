import { baseUrl } from './cli-harness.ts';

/** The wallet that is signed in. */
export const walletAddress = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f';
const claims = Buffer.from(JSON.stringify({ sub: walletAddress, exp: 4_000_000_000 })).toString('base64url');
/** The environment of a command that a signed-in holder runs. */
export const env = { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: `header.${claims}.signature` };
/** An API key as the service describes it. Its name would change the colour of a terminal. */
export const key = {
  id: '019a8f3e-7c00-7000-8000-000000000001',
  keyName: 'A\u001b[31mname',
  apiKey: 'public',
  tokenId: 1001,
  signatures: 'any',
  scopes: null,
  expiresAt: null,
  allowedNetworks: null,
  successorId: null,
  createdAt: '2026-11-15T09:30:00.000Z',
};
