import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from './values.ts';

/** What a wallet signs in for when it does not say. */
export const defaultSignInType = 'dapp';
/** What an administrator's wallet signs in for. */
export const administratorSignInType = 'admin';

export const NonceRequest = Type.Object({
  walletAddress: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: 'The wallet that will sign. In one case, or with the checksum of ERC-55 in its capitals',
    examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  }),
  email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Becomes the address of the holder when the wallet has signed in, and not before',
      examples: ['ada@example.org'],
    }),
  ),
  type: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,32}$',
      default: defaultSignInType,
      description: `What the wallet signs in for; \`${administratorSignInType}\` is for administrators`,
      examples: [defaultSignInType],
    }),
  ),
});
export type NonceRequest = Static<typeof NonceRequest>;

export const Nonce = Type.Object({
  nonce: Type.String({
    description: 'Good for one sign-in of this wallet',
    examples: ['5f2b8a4c9e1d7036b8a4c9e1d70365f2'],
  }),
  message: Type.String({ description: 'The whole ERC-4361 text for the wallet to sign, as it stands' }),
  expiresAt: Timestamp('Until when the message can be handed in'),
});
export type Nonce = Static<typeof Nonce>;

export const SignInRequest = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'The ERC-4361 text that the wallet signed',
  }),
  // Those of smart wallets may carry what deploys the wallet, hence the length.
  signature: Type.String({
    minLength: 1,
    maxLength: 16_386,
    description:
      'The signature over it (ERC-191) as `0x` and hexadecimal digits; of a smart wallet ERC-1271 or ERC-6492',
  }),
});
export type SignInRequest = Static<typeof SignInRequest>;

export const SignedInHolder = Type.Object({
  id: Uuid('Identifies the holder'),
  walletAddress: Type.String({
    description: 'With the checksum of ERC-55 in its capitals',
    examples: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
  }),
  email: Nullable(Type.String()),
  primaryTokenId: Type.Integer({
    description: 'The digital key that the calls with this token act for',
    examples: [42],
  }),
  tokenIds: Type.Array(Type.Integer(), {
    description: 'All digital keys of the wallet',
    examples: [[42, 77]],
  }),
});
export type SignedInHolder = Static<typeof SignedInHolder>;

export const SignIn = Type.Object({
  token: Type.String({ description: 'For the header `Authorization: Bearer …`' }),
  expiresAt: Timestamp('Until when the token is accepted'),
  holder: Type.Union([SignedInHolder, Type.Null()], {
    description: 'null for an administrator who owns no digital key',
  }),
});
export type SignIn = Static<typeof SignIn>;
