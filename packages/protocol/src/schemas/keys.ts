import { type Static, Type } from 'typebox';
import { maximumSignatureLength } from '../signature-issues.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { textPatterns } from './text-patterns.ts';
import { Alias, FilledText, Nullable, StringEnum, Timestamp, TokenId, Uuid } from './values.ts';

const keyName = FilledText(100, 'Name of the API key', 'My storefront');

/** Which signatures a key is accepted with: in both forms, or only those that are bound to their request. */
export const signatureForms = ['any', 'bound'] as const;
export type SignatureForms = (typeof signatureForms)[number];

/** The longest time for which a key and its successor are both accepted. */
export const maximumOverlapSeconds = 7 * 24 * 60 * 60;
const defaultOverlapSeconds = 24 * 60 * 60;

const signatures = StringEnum(signatureForms, {
  description:
    'Which signatures are accepted: `bound` ones only, which cover method, address, body and time, or `any`.',
});
const scopeText = {
  description:
    'What the key may do, such as `orders:read` and `clients:write`. The reference names the scope of each operation. ' +
    'Null: everything.',
  examples: [['orders:read', 'clients:read']],
};
const networksText = {
  description: 'The networks that requests may come from, in CIDR notation. Null: any.',
  examples: [['203.0.113.0/24', '2001:db8::/32']],
};

/** The settings of a key in a request. */
const settingsInput = {
  signatures: Type.Optional(signatures),
  scopes: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Type.String({ pattern: textPatterns.keyScope.pattern }),
      minItems: 1,
      maxItems: 100,
      ...scopeText,
    }),
  ),
  expiresAt: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: textPatterns.utcTime.pattern,
      description: 'Until when the key is accepted. Null: until it is revoked.',
      examples: ['2027-11-15T09:30:00Z'],
    }),
  ),
  allowedNetworks: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: Type.String({ minLength: 1, maxLength: 50 }),
      minItems: 1,
      maxItems: 50,
      ...networksText,
    }),
  ),
};

const keyFields = {
  id: Uuid('Id of the API key'),
  keyName,
  apiKey: Type.String({
    description: 'Value of the `x-auth-apikey` header: the public key as PEM (SPKI), Base64-encoded',
  }),
  tokenId: TokenId('Token id of the digital key that the API key acts for'),
  signatures,
  scopes: Nullable(Type.Array(Type.String(), scopeText)),
  expiresAt: Nullable(Timestamp('Until when the key is accepted. Null: until it is revoked')),
  allowedNetworks: Nullable(Type.Array(Type.String(), networksText)),
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
    label: Alias('keyName', keyName),
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
    ...settingsInput,
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
    successorId: Nullable(Uuid('Id of the API key that replaces this one')),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const KeyPage = Type.Object({ keys: Type.Array(ApiKey), pageMetaDto: PageMeta }, { title: 'KeyPage' });
export type KeyPage = Static<typeof KeyPage>;

export const KeyListQuery = Type.Object(pageQueryFields);
export type KeyListQuery = Static<typeof KeyListQuery>;

export const KeyPath = Type.Object({ id: Uuid('Id of the API key') });

export const KeyChange = Type.Object(
  { keyName: Type.Optional(keyName), ...settingsInput },
  { title: 'KeyChange', minProperties: 1 },
);
export type KeyChange = Static<typeof KeyChange>;

export const KeyRotation = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maximumOverlapSeconds,
        default: defaultOverlapSeconds,
        description: 'For how long the old key is still accepted',
        examples: [defaultOverlapSeconds],
      }),
    ),
    publicKey: NewKey.properties.publicKey,
    proof: NewKey.properties.proof,
    expiresAt: Type.Optional(
      Type.Unsafe<string | null>({
        ...settingsInput.expiresAt,
        description:
          'Until when the successor is accepted. Null: until it is revoked. The default is that of the old key.',
      }),
    ),
  },
  { title: 'KeyRotation' },
);
export type KeyRotation = Static<typeof KeyRotation>;

export const RotatedKey = Type.Object(
  {
    ...CreatedKey.properties,
    replaces: Type.Object({
      id: Uuid('Id of the old key'),
      expiresAt: Timestamp('Until when the old key is accepted'),
    }),
  },
  { title: 'RotatedKey' },
);
export type RotatedKey = Static<typeof RotatedKey>;

/** The overlap of a rotation that names none. */
export function overlapOf({ overlapSeconds = defaultOverlapSeconds }: KeyRotation): number {
  return overlapSeconds;
}
