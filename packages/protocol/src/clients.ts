import { type Static, Type } from 'typebox';
import { AdminApproval, approvals } from './approvals.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, TokenFilter, Uuid } from './values.ts';

const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });

// Blanks alone are no name.
const Name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description, examples: [example] });

const names = { firstName: Name('Given name', 'Ada'), lastName: Name('Family name', 'Example') };

const email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Unique within the digital key, in any case',
  examples: ['ada@example.org'],
});

const phone = {
  phoneCode: Text(8, 'Calling code of the country', '+351'),
  phoneCountryCode: Text(3, 'The country of the calling code: ISO 3166-1', 'PT'),
  contactNumber: Text(32, 'The number without its calling code', '200 555 010'),
};

const Shipping = Type.Object({
  address1: Text(200, 'Street and number', 'Rua do Exemplo 1'),
  address2: Text(200, 'What else finds the door', '2.º esq.'),
  city: Text(100, 'City', 'Lisboa'),
  state: Text(100, 'State or region', 'Lisboa'),
  country: Text(100, 'Name of the country', 'Portugal'),
  countryCode: Type.String({
    pattern: '^([A-Z]{3})?$',
    description: 'ISO 3166-1 alpha-3, or empty',
    examples: ['PRT'],
  }),
  postalCode: Text(20, 'Postal code', '1000-001'),
});

const approvalFields = {
  adminApproval: AdminApproval(),
  isKYCVerified: Type.Boolean({ description: 'Whether the administrators have checked the identity' }),
  isActive: Type.Boolean({ description: 'Whether the client may order' }),
};

const aboutRejectionNote = {
  description: 'Why the client is rejected',
  examples: ['The document photo cannot be read.'],
};

export const Client = Type.Object({
  id: Uuid('Identifies the client'),
  ...names,
  email,
  ...phone,
  shipping: Shipping,
  ...approvalFields,
  nft: Type.Object({
    tokenId: Type.Integer({ description: 'The digital key that the client belongs to', examples: [1001] }),
  }),
  createdAt: Timestamp('When the client was entered'),
  updatedAt: Timestamp('When the client last changed'),
});
export type Client = Static<typeof Client>;

/** A client as administrators see it. */
export const AdminClient = Type.Object({
  ...Client.properties,
  rejectionNote: Nullable(Type.String(aboutRejectionNote)),
});
export type AdminClient = Static<typeof AdminClient>;

const optionalContact = Type.Partial(Type.Object({ ...phone, shipping: Type.Partial(Shipping) }));

export const NewClient = Type.Object({ ...names, email, ...optionalContact.properties });
export type NewClient = Static<typeof NewClient>;

export const ClientChange = Type.Object(
  { ...Type.Partial(Type.Object({ ...names, email })).properties, ...optionalContact.properties },
  { minProperties: 1 },
);
export type ClientChange = Static<typeof ClientChange>;

export const AdminClientChange = Type.Partial(
  Type.Object({
    ...approvalFields,
    rejectionNote: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', ...aboutRejectionNote }),
  }),
  { minProperties: 1 },
);
export type AdminClientChange = Static<typeof AdminClientChange>;

export const ClientPath = Type.Object({ clientId: Uuid('Identifies the client') });

export const ClientPage = Type.Object({ clients: Type.Array(Client), pageMetaDto: PageMeta });
export type ClientPage = Static<typeof ClientPage>;

export const AdminClientPage = Type.Object({ clients: Type.Array(AdminClient), pageMetaDto: PageMeta });
export type AdminClientPage = Static<typeof AdminClientPage>;

const YesOrNo = (description: string) => Type.Optional(Type.Enum(['', 'true', 'false'], { description }));

const filterFields = {
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'Part of the first name, of the last name, of both together, or of the e-mail; in any case',
      examples: ['Ada Exa'],
    }),
  ),
  adminApproval: Type.Optional(
    Type.Enum(['', ...approvals], { description: 'Only those of whom the administrators say this' }),
  ),
  isActive: YesOrNo('Only those who may order, or only those who may not'),
  isKYCVerified: YesOrNo('Only those whose identity is checked, or only those whose is not'),
};

export const ClientListQuery = Type.Object({ ...pageQueryFields, ...filterFields });
export type ClientListQuery = Static<typeof ClientListQuery>;

export const AdminClientListQuery = Type.Object({
  ...pageQueryFields,
  ...filterFields,
  tokenId: TokenFilter('Only the clients of this digital key'),
});
export type AdminClientListQuery = Static<typeof AdminClientListQuery>;

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const ClientSummary = Type.Object({
  total: Count('All clients', 120),
  active: Count('Those who may order', 115),
  inactive: Count('Those who may not', 5),
  kycVerified: Count('Those whose identity is checked', 90),
  adminApproval: Type.Object({
    PENDING: Count('Those who wait for the administrators', 20),
    VERIFIED: Count('Those who are approved', 92),
    REJECTED: Count('Those who are rejected', 8),
  }),
});
export type ClientSummary = Static<typeof ClientSummary>;

export const ClientStatusBreakdown = Type.Object({
  total: Count('All clients', 120),
  statuses: Type.Array(
    Type.Object({
      status: AdminApproval(),
      count: Count('How many clients have it', 20),
      percentage: Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'Of all clients, with at most two decimals. ClusterHooks they make 100, or 0 without a client.',
        examples: [16.67],
      }),
    }),
    { description: 'Always PENDING, VERIFIED, REJECTED, in this order' },
  ),
});
export type ClientStatusBreakdown = Static<typeof ClientStatusBreakdown>;
