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
    administrator: Nullable(
      ChecksumAddress('Wallet of the administrator; null if a provider made the change'),
    ),
    provider: Nullable(
      StringEnum(providers, { description: 'Provider that made the change; null if an administrator did' }),
    ),
    subject: StringEnum(auditSubjects, { description: 'Kind of resource that changed' }),
    subjectId: Uuid('Id of the resource that changed'),
    action: StringEnum(['CREATE', 'CHANGE'], { description: 'What was done' }),
    before: Nullable(Fields('Changed fields with their old values; null for CREATE')),
    after: Fields('Changed fields with their new values; all fields for CREATE'),
    createdAt: Timestamp('When the change was made'),
  },
  { title: 'AuditEntry', description: 'A change made by an administrator or reported by a provider' },
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
