import { type Static, Type } from 'typebox';
import { textPatterns } from './text-patterns.ts';
import { ChecksumAddress, Nullable, Timestamp, TokenId, Uuid, WalletAddress } from './values.ts';

/** The sign-in type if the request names none. */
export const defaultSignInType = 'dapp';
/** The sign-in type of administrators. */
export const administratorSignInType = 'admin';

export const NonceRequest = Type.Object(
  {
    walletAddress: WalletAddress('Wallet that will sign. In one case, or with its ERC-55 checksum.'),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 254,
        description: 'E-mail address of the holder. Stored only after the wallet has signed in.',
        examples: ['ada@example.org'],
      }),
    ),
    type: Type.Optional(
      Type.String({
        pattern: textPatterns.signInType.pattern,
        default: defaultSignInType,
        description: `What the wallet signs in for. \`${administratorSignInType}\` is for administrators.`,
        examples: [defaultSignInType],
      }),
    ),
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'The domain of the page on which the wallet signs, one of those that the operator allows. The default is that of the service, ' +
          'at which alone administrators sign in.',
        examples: ['shop.example'],
      }),
    ),
  },
  { title: 'NonceRequest' },
);
export type NonceRequest = Static<typeof NonceRequest>;

export const Nonce = Type.Object(
  {
    nonce: Type.String({
      description: 'Valid for one sign-in of this wallet',
      examples: ['5f2b8a4c9e1d7036b8a4c9e1d70365f2'],
    }),
    message: Type.String({ description: 'The complete ERC-4361 message for the wallet to sign' }),
    expiresAt: Timestamp('Until when the message is accepted'),
  },
  { title: 'Nonce' },
);
export type Nonce = Static<typeof Nonce>;

export const SignInRequest = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The ERC-4361 message that the wallet signed',
    }),
    // A smart wallet's signature may include the code that deploys the wallet, hence the length.
    signature: Type.String({
      minLength: 1,
      maxLength: 16_386,
      description:
        'ERC-191 signature of the message: `0x` and hexadecimal digits. Smart wallets: ERC-1271 or ERC-6492.',
    }),
  },
  { title: 'SignInRequest' },
);
export type SignInRequest = Static<typeof SignInRequest>;

export const SignedInHolder = Type.Object(
  {
    id: Uuid('Id of the holder'),
    walletAddress: ChecksumAddress('Wallet of the holder'),
    email: Nullable(Type.String({ description: 'E-mail address' })),
    primaryTokenId: TokenId('Token id of the digital key that calls with this token act for'),
    tokenIds: Type.Array(Type.Integer(), {
      description: 'Token ids of all digital keys of the wallet',
      examples: [[1001, 1002]],
    }),
  },
  { title: 'SignedInHolder' },
);
export type SignedInHolder = Static<typeof SignedInHolder>;

export const SignIn = Type.Object(
  {
    token: Type.String({ description: 'JWT for the header `Authorization: Bearer …`' }),
    expiresAt: Timestamp('Until when the token is accepted'),
    holder: Type.Union([SignedInHolder, Type.Null()], {
      description: 'null for an administrator who owns no digital key',
    }),
  },
  { title: 'SignIn' },
);
export type SignIn = Static<typeof SignIn>;
