import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

const keyName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What you call it',
  examples: ['My storefront'],
});

const keyFields = {
  id: Uuid('Identifies the key'),
  keyName,
  apiKey: Type.String({ description: 'What goes into `x-auth-apikey`: Base64 of the PEM of the public key' }),
  tokenId: Type.Integer({ description: 'The digital key it acts for', examples: [1001] }),
  createdAt: Timestamp('When it was made'),
};

export const NewKey = Type.Object({
  keyName: Type.Optional(keyName),
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Another name of `keyName`' }),
  ),
  publicKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'A public key of your own (PEM SPKI, secp256k1, in Base64). Then no secret is made here.',
    }),
  ),
});
export type NewKey = Static<typeof NewKey>;

export const CreatedKey = Type.Object({
  ...keyFields,
  secretKey: Nullable(
    Type.String({
      description:
        'Base64 of the PEM (PKCS#8) of the private key. Shown once and stored nowhere; null for a key of your own.',
    }),
  ),
});
export type CreatedKey = Static<typeof CreatedKey>;

export const ApiKey = Type.Object({
  ...keyFields,
  lastUsedAt: Nullable(Timestamp('When it last signed a request, to within some seconds')),
  revokedAt: Nullable(Timestamp('When it was revoked')),
});
export type ApiKey = Static<typeof ApiKey>;

export const KeyPage = Type.Object({ keys: Type.Array(ApiKey), pageMetaDto: PageMeta });
export type KeyPage = Static<typeof KeyPage>;

export const KeyListQuery = Type.Object(pageQueryFields);
export type KeyListQuery = Static<typeof KeyListQuery>;

export const KeyPath = Type.Object({ id: Uuid('Identifies the key') });

export const KeyChange = Type.Object({ keyName });
