import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, TokenId, Uuid } from './values.ts';

const keyName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the API key',
  examples: ['My storefront'],
});

const keyFields = {
  id: Uuid('Id of the API key'),
  keyName,
  apiKey: Type.String({
    description: 'Value of the `x-auth-apikey` header: the public key as PEM (SPKI), Base64-encoded',
  }),
  tokenId: TokenId('Token id of the digital key that the API key acts for'),
  createdAt: Timestamp('When the API key was created'),
};

export const NewKey = Type.Object(
  {
    keyName: Type.Optional(keyName),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Alias of `keyName`' })),
    publicKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          'Your own secp256k1 public key as PEM (SPKI), Base64-encoded. The service then creates no secret key.',
      }),
    ),
  },
  { title: 'NewKey' },
);
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Type.Object(
  {
    ...keyFields,
    secretKey: Nullable(
      Type.String({
        description:
          'The private key as PEM (PKCS#8), Base64-encoded. Shown once and never stored; null if you sent a `publicKey`.',
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
