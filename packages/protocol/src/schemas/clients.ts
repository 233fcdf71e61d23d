import { type Static, type TSchema, Type } from 'typebox';
import {
  ClientBusiness,
  ClientBusinessChange,
  NewShippingAddress,
  ShippingAddress,
  ShippingAddressChange,
} from './addresses.ts';
import { kycFields } from './kyc.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { textPatterns } from './text-patterns.ts';
import {
  AdminApproval,
  Alias,
  approvals,
  Count,
  FilledText,
  Metadata,
  MetadataChange,
  NftReference,
  Nullable,
  Personal,
  StringEnum,
  Text,
  Timestamp,
  TokenFilter,
  Untrusted,
  Uuid,
  YesOrNo,
  yesOrNo,
} from './values.ts';

/** What customers say about themselves. */
const Said = <Schema extends TSchema>(schema: Schema): Schema => Personal(Untrusted(schema));

const names = {
  firstName: Said(FilledText(100, 'Given name', 'Ada')),
  lastName: Said(FilledText(100, 'Family name', 'Example')),
};

const email = Said(
  Type.String({
    format: 'email',
    maxLength: 254,
    description: 'E-mail address. Unique within the digital key, case-insensitive',
    examples: ['ada@example.org'],
  }),
);

const phone = {
  phoneCode: Said(Text(8, 'Country calling code', '+351')),
  phoneCountryCode: Said(Text(3, 'Country of the calling code (ISO 3166-1)', 'PT')),
  contactNumber: Said(Text(32, 'Phone number without the calling code', '200 555 010')),
};

/** Which check of identity the client goes through. */
export const verificationTypes = ['KYC', 'ID'] as const;
export type VerificationType = (typeof verificationTypes)[number];

/** The number of addresses that a client may have. */
export const maximumShippings = 20;

const recordFields = {
  title: Said(Text(50, 'Form of address', 'Dr')),
  marketingConsent: Type.Boolean({ description: 'Whether the client agrees to receive marketing' }),
  verificationType: StringEnum(verificationTypes, {
    description: 'Which check of identity the client goes through. `KYC` is the default',
  }),
  externalReference: Untrusted(Text(200, 'Id of the client in another system', 'crm-4711')),
};

const approvalFields = {
  adminApproval: AdminApproval(),
  isKYCVerified: Type.Boolean({ description: 'Whether the identity of the client is verified' }),
  isActive: Type.Boolean({ description: 'Whether the client may order' }),
};

const rejectionNoteText = {
  description: 'Why the client is rejected',
  examples: ['The document photo cannot be read.'],
};

const clientFields = {
  id: Uuid('Id of the client'),
  ...names,
  email,
  ...phone,
  ...recordFields,
  metadata: Metadata(),
  shipping: ShippingAddress,
  shippings: Type.Array(ShippingAddress, {
    description:
      'All addresses. The first is the default and the same as `shipping`. Empty if the client has no address',
  }),
  clientCart: Type.Array(Type.Object({ id: Uuid('Id of the cart') }), {
    description: 'The one cart of the client',
  }),
  clientBusinesses: Type.Array(ClientBusiness, {
    description: 'The business that the client buys for, if any',
  }),
  ...approvalFields,
  approvedAt: Nullable(Timestamp('When the client was approved. Null unless the client is approved')),
  rejectedAt: Nullable(Timestamp('When the client was rejected. Null unless the client is rejected')),
  ...kycFields,
  nft: NftReference,
  createdAt: Timestamp('When the client was created'),
  updatedAt: Timestamp('When the client last changed'),
};

/** The size of a medical record as compact JSON in UTF-8. */
export const maximumMedicalRecordBytes = 64 * 1024;

export type MedicalRecord = Record<string, unknown>;

const MedicalRecordChange = () =>
  Type.Unsafe<MedicalRecord | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Anything that the storefront has to know, as a JSON object of at most 64 KiB. Replaces the record that the client has; ' +
      'null removes it. It is stored encrypted, and returned only by reading this client',
    examples: [{ allergies: ['penicillin'] }],
  });

/** The client inside another resource. */
export const ClientContact = Type.Object(
  {
    id: Uuid('Id of the client'),
    firstName: Said(Type.String({ description: 'Given name', examples: ['Ada'] })),
    lastName: Said(Type.String({ description: 'Family name', examples: ['Example'] })),
    email: Said(Type.String({ description: 'E-mail address', examples: ['ada@example.org'] })),
  },
  { title: 'ClientContact' },
);

export const Client = Type.Object(clientFields, {
  title: 'Client',
  description: 'A person that a storefront sells to',
});
export type Client = Static<typeof Client>;

/** The response to creating a client. Some storefronts read the client, or its id, from a field of `data`. */
export const CreatedClient = Type.Object(
  {
    ...clientFields,
    clientId: Type.String({ format: 'uuid', description: 'The same as `id`', deprecated: true }),
    client: Type.Object(clientFields, { description: 'The client again', deprecated: true }),
  },
  { title: 'CreatedClient' },
);
export type CreatedClient = Static<typeof CreatedClient>;

const medicalRecord = {
  'x-personal-data': true,
  'x-untrusted': true,
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The medical record exactly as it was sent, every digit of its numbers included, or null',
  examples: [{ allergies: ['penicillin'] }],
};

export const ClientDetails = Type.Object(
  {
    ...clientFields,
    medicalRecord: Type.Unsafe<MedicalRecord | null>({
      ...medicalRecord,
      properties: {
        createdAt: {
          deprecated: true,
          description:
            'When the client got a medical record, for existing storefronts. Not added to a record that has a `createdAt` of its own',
          examples: ['2026-11-15T09:30:00.000Z'],
        },
      },
    }),
  },
  { title: 'ClientDetails', description: 'A client with its medical record' },
);
export type ClientDetails = Static<typeof ClientDetails>;

export const ClientQuery = Type.Object({
  medicalRecord: Type.Optional(
    StringEnum(['include', 'omit'], {
      default: 'include',
      'x-agents-send': 'omit',
      description:
        'With `omit`, the medical record is neither decrypted nor returned: `medicalRecord` is null',
    }),
  ),
});
export type ClientQuery = Static<typeof ClientQuery>;

export const MedicalRecordRequest = Type.Object(
  {
    reason: FilledText(
      500,
      'Why the record is read. Administrators see it in the audit log',
      'The client asked about an allergy',
    ),
  },
  { title: 'MedicalRecordRequest' },
);
export type MedicalRecordRequest = Static<typeof MedicalRecordRequest>;

export const MedicalRecordResponse = Type.Object(
  { medicalRecord: Type.Unsafe<MedicalRecord | null>(medicalRecord) },
  { title: 'MedicalRecordResponse', description: 'The medical record of a client' },
);
export type MedicalRecordResponse = Static<typeof MedicalRecordResponse>;

export const AdminClient = Type.Object(
  { ...clientFields, rejectionNote: Nullable(Type.String(rejectionNoteText)) },
  { title: 'AdminClient', description: 'A client as administrators see it' },
);
export type AdminClient = Static<typeof AdminClient>;

const optionalFields = {
  ...Type.Partial(Type.Object({ ...phone, ...recordFields })).properties,
  metadata: MetadataChange(),
  shippings: Type.Optional(
    Type.Array(NewShippingAddress, {
      maxItems: maximumShippings,
      description:
        'All addresses, the default first. Replaces those that the client has. The fields of `shipping` take precedence over ' +
        'those of the first',
    }),
  ),
  clientBusiness: Type.Optional(ClientBusinessChange()),
  medicalRecord: Type.Optional(MedicalRecordChange()),
};

export const NewClient = Type.Object(
  { ...names, email, ...optionalFields, shipping: Type.Optional(NewShippingAddress) },
  { title: 'NewClient' },
);
export type NewClient = Static<typeof NewClient>;

export const ClientChange = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...names, email })).properties,
    ...optionalFields,
    shipping: Type.Optional(ShippingAddressChange),
  },
  { title: 'ClientChange', minProperties: 1 },
);
export type ClientChange = Static<typeof ClientChange>;

export const AdminClientChange = Type.Partial(
  Type.Object({
    ...approvalFields,
    rejectionNote: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: textPatterns.notBlank.pattern,
      ...rejectionNoteText,
    }),
  }),
  { title: 'AdminClientChange', minProperties: 1 },
);
export type AdminClientChange = Static<typeof AdminClientChange>;

export const MarketingConsentChange = Type.Object(
  { marketingConsent: recordFields.marketingConsent },
  { title: 'MarketingConsentChange' },
);
export type MarketingConsentChange = Static<typeof MarketingConsentChange>;

export const ClientArchiveQuery = Type.Object({
  erase: YesOrNo('`true` also erases personal data. What invoices need is kept'),
});
export type ClientArchiveQuery = Static<typeof ClientArchiveQuery>;

export const ArchivedClient = Type.Object(
  {
    id: Uuid('Id of the client'),
    archivedAt: Timestamp('When the client was archived'),
    erasedAt: Nullable(Timestamp('When its personal data was erased')),
  },
  { title: 'ArchivedClient' },
);
export type ArchivedClient = Static<typeof ArchivedClient>;

export const ClientPath = Type.Object({ clientId: Uuid('Id of the client') });

export const ClientPage = Type.Object(
  { clients: Type.Array(Client), pageMetaDto: PageMeta },
  { title: 'ClientPage' },
);
export type ClientPage = Static<typeof ClientPage>;

export const AdminClientPage = Type.Object(
  { clients: Type.Array(AdminClient), pageMetaDto: PageMeta },
  { title: 'AdminClientPage' },
);
export type AdminClientPage = Static<typeof AdminClientPage>;

/** Searches the clients behind another resource by name or e-mail. */
export const clientSearch = Type.Optional(
  Personal(
    Type.String({
      maxLength: 254,
      description:
        'Part of the first name, the last name, the full name or the e-mail address, case-insensitive',
      examples: ['Ada Exa'],
    }),
  ),
);

/** The fields that clients are searched by. */
export const clientSearchFields = ['clientName', 'email', 'contactNumber'] as const;
export type ClientSearchField = (typeof clientSearchFields)[number];

const filterFields = {
  orderBy: Type.Optional(
    StringEnum(['asc', 'desc'], {
      description: 'Oldest first (`asc`) or newest first (`desc`, the default)',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'Part of the full name, the e-mail address or the phone number, case-insensitive. `searchBy` selects one of them',
      examples: ['Ada Exa'],
    }),
  ),
  searchBy: Type.Optional(
    StringEnum(clientSearchFields, { description: 'The field to search. The default is all of them' }),
  ),
  status: Type.Optional(
    StringEnum(['ACTIVE', 'INACTIVE'], { description: 'Only active, or only deactivated, clients' }),
  ),
  kyc: Alias('isKYCVerified', StringEnum(yesOrNo)),
  adminApproval: Type.Optional(StringEnum(approvals, { description: 'Only clients with this approval' })),
  isActive: YesOrNo('Only clients that may order (`true`) or may not (`false`)'),
  isKYCVerified: YesOrNo('Only clients whose identity is verified (`true`) or not (`false`)'),
  email: Type.Optional(
    Type.String({
      format: 'email',
      minLength: 1,
      maxLength: 254,
      description: 'Only the client with this e-mail address, case-insensitive',
      examples: ['ada@example.org'],
    }),
  ),
  externalReference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only clients with this reference',
      examples: ['crm-4711'],
    }),
  ),
};

export const ClientListQuery = Type.Object({ ...pageQueryFields, ...filterFields });
export type ClientListQuery = Static<typeof ClientListQuery>;

export const AdminClientListQuery = Type.Object({
  ...pageQueryFields,
  ...filterFields,
  tokenId: TokenFilter('Only clients of this digital key'),
});
export type AdminClientListQuery = Static<typeof AdminClientListQuery>;

const approvalCounts = {
  PENDING: Count('Clients that wait for a decision', 20),
  VERIFIED: Count('Approved clients', 92),
  REJECTED: Count('Rejected clients', 8),
};

export const ClientSummary = Type.Object(
  {
    total: Count('All clients', 120),
    active: Count('Clients that may order', 115),
    inactive: Count('Clients that may not order', 5),
    kycVerified: Count('Clients whose identity is verified', 90),
    adminApproval: Type.Object(approvalCounts),
    summary: Type.Object({ ...approvalCounts, totalCount: Count('All clients', 120) }),
  },
  { title: 'ClientSummary' },
);
export type ClientSummary = Static<typeof ClientSummary>;

export const ClientStatusBreakdown = Type.Object(
  {
    total: Count('All clients', 120),
    statuses: Type.Array(
      Type.Object({
        status: AdminApproval(),
        count: Count('Number of clients', 20),
        percentage: Type.Number({
          minimum: 0,
          maximum: 100,
          description:
            'Share of all clients with at most two decimals. The three add up to 100, or to 0 without clients.',
          examples: [16.67],
        }),
      }),
      { description: 'Always PENDING, VERIFIED, REJECTED, in this order' },
    ),
  },
  { title: 'ClientStatusBreakdown' },
);
export type ClientStatusBreakdown = Static<typeof ClientStatusBreakdown>;
