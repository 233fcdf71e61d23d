import { type Static, Type } from 'typebox';
import { providers } from '../operation.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { ChecksumAddress, Nullable, StringEnum, Timestamp, Uuid, WalletAddress } from './values.ts';

export const auditSubjects = ['CLIENT', 'ORDER', 'STRAIN', 'PLANET', 'DELIVERY_CHARGE'] as const;
export type AuditSubject = (typeof auditSubjects)[number];

const Fields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const AuditEntry = Type.Object(
  {
    id: Uuid('Id of the audit entry'),
    administrator: Nullable(ChecksumAddress('Wallet of the administrator; null if somebody else acted')),
    provider: Nullable(
      StringEnum(providers, {
        description: 'Provider that reported the change; null if somebody else acted',
      }),
    ),
    holder: Nullable(ChecksumAddress('Wallet of the holder; null if somebody else acted')),
    subject: StringEnum(auditSubjects, { description: 'Kind of resource that changed' }),
    subjectId: Uuid('Id of the resource that changed'),
    subjectName: Nullable(
      Type.String({
        description:
          'Invoice number of the order, or name of the client, strain or planet; null if it is archived or has none',
      }),
    ),
    action: StringEnum(['CREATE', 'CHANGE', 'READ'], {
      description:
        'What was done. `READ`: a holder has read the medical record of a client, and given a reason',
    }),
    before: Nullable(Fields('Changed fields with their old values; null for CREATE and READ')),
    after: Fields('Changed fields with their new values; all fields for CREATE; `reason` for READ'),
    createdAt: Timestamp('When the change was made'),
  },
  {
    title: 'AuditEntry',
    description: 'A change made by an administrator or reported by a provider, or an access by a holder',
  },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object(
  { entries: Type.Array(AuditEntry), pageMetaDto: PageMeta },
  { title: 'AuditPage' },
);
export type AuditPage = Static<typeof AuditPage>;

export const AuditListQuery = Type.Object({
  ...pageQueryFields,
  subject: Type.Optional(StringEnum(auditSubjects, { description: 'Only changes of this kind of resource' })),
  subjectId: Type.Optional(Uuid('Only changes of this resource')),
  administrator: Type.Optional(WalletAddress('Only changes made by this wallet, in any case')),
});
export type AuditListQuery = Static<typeof AuditListQuery>;
