import { type Static, Type } from 'typebox';
import { maximumSignatureLength } from '../signature-issues.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { textPatterns } from './text-patterns.ts';
import { FilledText, Nullable, Timestamp, TokenId, Uuid } from './values.ts';

const keyName = FilledText(100, 'Name of the API key', 'My storefront');

const keyFields = {
  id: Uuid('Id of the API key'),
  keyName,
  apiKey: Type.String({
    description: 'Value of the `x-auth-apikey` header: the public key as PEM (SPKI), Base64-encoded',
  }),
  tokenId: TokenId('Token id of the digital key that the API key acts for'),
  createdAt: Timestamp('When the API key was created'),
};

export const KeyProof = Type.Object(
  {
    issuedAt: Type.String({
      pattern: textPatterns.utcTime.pattern,
      description: 'Time of the proof, at most five minutes from the time of the service',
      examples: ['2026-11-15T09:30:00Z'],
    }),
    signature: Type.String({
      minLength: 1,
      maxLength: maximumSignatureLength,
      description:
        'ECDSA signature (SHA-256) of the text, Base64-encoded. The text has four lines without a line break at the end: ' +
        '`Keyfront API key`, `Wallet: ` and the address in lower case, `Public key: ` and `publicKey`, `Time: ` and `issuedAt`.',
    }),
  },
  {
    title: 'KeyProof',
    description:
      'Proof of possession: the secret key of `publicKey` has signed a text that names the wallet and the time.',
  },
);
export type KeyProof = Static<typeof KeyProof>;

export const NewKey = Type.Object(
  {
    keyName: Type.Optional(keyName),
    label: Type.Optional(FilledText(100, 'Alias of `keyName`', 'My storefront')),
    publicKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          'Your own secp256k1 public key as PEM (SPKI), Base64-encoded. The service then creates no secret key. ' +
          'Needs a `proof`.',
      }),
    ),
    proof: Type.Optional(KeyProof),
  },
  { title: 'NewKey', anyOf: [{ required: ['keyName'] }, { required: ['label'] }] },
);
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Type.Object(
  {
    ...keyFields,
    secretKey: Nullable(
      Type.String({
        description:
          'The private key as PEM (PKCS#8), Base64-encoded. Only this response contains it. With an `Idempotency-Key`, the ' +
          'service keeps the response encrypted for 24 hours to repeat it; it stores no other copy. Null if you sent a ' +
          '`publicKey`.',
      }),
    ),
  },
  { title: 'CreatedKey' },
);
export type CreatedKey = Static<typeof CreatedKey>;

export const ApiKey = Type.Object(
  {
    ...keyFields,
    lastUsedAt: Nullable(Timestamp('When the API key last signed a request, accurate to some seconds')),
    revokedAt: Nullable(Timestamp('When the API key was revoked')),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const KeyPage = Type.Object({ keys: Type.Array(ApiKey), pageMetaDto: PageMeta }, { title: 'KeyPage' });
export type KeyPage = Static<typeof KeyPage>;

export const KeyListQuery = Type.Object(pageQueryFields);
export type KeyListQuery = Static<typeof KeyListQuery>;

export const KeyPath = Type.Object({ id: Uuid('Id of the API key') });

export const KeyChange = Type.Object({ keyName }, { title: 'KeyChange' });
export type KeyChange = Static<typeof KeyChange>;
