import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

/** What administrators change. */
export const auditSubjects = ['CLIENT', 'ORDER', 'STRAIN', 'PLANET'] as const;
export type AuditSubject = (typeof auditSubjects)[number];

const Fields = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

export const AuditEntry = Type.Object({
  id: Uuid('Identifies the entry'),
  administrator: Type.String({ description: 'Wallet of who did it, with its checksum (EIP-55)' }),
  subject: Type.Enum([...auditSubjects], { description: 'What kind of thing it was done to' }),
  subjectId: Uuid('Identifies what it was done to'),
  action: Type.Enum(['CREATE', 'CHANGE']),
  before: Nullable(Fields('The fields that changed, as they were; null for what was created')),
  after: Fields('The same fields, as they became; all of them for what was created'),
  createdAt: Timestamp('When it was done'),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({ entries: Type.Array(AuditEntry), pageMetaDto: PageMeta });
export type AuditPage = Static<typeof AuditPage>;

export const AuditListQuery = Type.Object({
  ...pageQueryFields,
  subject: Type.Optional(
    Type.Enum(['', ...auditSubjects], { description: 'Only what was done to things of this kind' }),
  ),
  subjectId: Type.Optional(Uuid('Only what was done to this one')),
  administrator: Type.Optional(
    Type.String({
      pattern: '^0x[0-9a-fA-F]{40}$',
      description: 'Only what this wallet did, in any case',
      examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    }),
  ),
});
export type AuditListQuery = Static<typeof AuditListQuery>;
