import { toChecksumAddress } from '@keyfront/evm';
import type { AuditListQuery, AuditPage, AuditSubject, Provider } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { type AuditRow, insertAuditRow, listAuditEntries } from './audit-queries.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Who made a change: an administrator, or a provider in a callback. */
export type AuditAuthor = AdministratorScope | { readonly provider: Provider };

/** Records that an administrator created something. Runs in the transaction that creates it. */
export function auditCreation(
  tx: RunInTransaction,
  scope: AdministratorScope,
  subject: AuditSubject,
  subjectId: string,
  after: Fields,
): void {
  insertAuditRow(tx, {
    ...describeAuthor(scope),
    subject,
    subjectId,
    action: 'CREATE',
    before: null,
    after,
  });
}

/** Records the fields that were changed, before and after. Does nothing if no field differs. */
export function auditChange(
  tx: RunInTransaction,
  author: AuditAuthor,
  subject: AuditSubject,
  subjectId: string,
  { before, after }: { readonly before: Fields; readonly after: Fields },
): void {
  const changed = Object.keys(after).filter((name) => !isSame(before[name], after[name]));
  if (changed.length === 0) return;
  const pick = (fields: Fields) => Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]));
  insertAuditRow(tx, {
    ...describeAuthor(author),
    subject,
    subjectId,
    action: 'CHANGE',
    before: pick(before),
    after: pick(after),
  });
}

/**
 * Records that a holder has read something, and why. The log is out of a holder's reach, so the transaction runs in the scope of the
 * system.
 */
export function auditReading(
  tx: RunInTransaction,
  holder: HolderScope,
  subject: AuditSubject,
  subjectId: string,
  reason: string,
): void {
  insertAuditRow(tx, {
    ...{ administrator: null, provider: null, holder: holder.walletAddress },
    ...{ subject, subjectId, action: 'READ', before: null, after: { reason } },
  });
}

/** Gets one page of the audit log. An empty `subject` means no filter. */
export async function getAuditPage(
  database: Database,
  scope: AdministratorScope,
  query: AuditListQuery,
): Promise<AuditPage> {
  const filter = {
    subject: query.subject || null,
    subjectId: query.subjectId ?? null,
    administrator: query.administrator?.toLowerCase() ?? null,
  };
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listAuditEntries(database, scope, filter, page),
  );
  return {
    entries: items.map((entry) => ({
      ...entry,
      administrator: entry.administrator && toChecksumAddress(entry.administrator),
      holder: entry.holder && toChecksumAddress(entry.holder),
    })),
    pageMetaDto,
  };
}

function describeAuthor(author: AuditAuthor): Pick<AuditRow, 'administrator' | 'provider' | 'holder'> {
  return 'provider' in author
    ? { administrator: null, provider: author.provider, holder: null }
    : { administrator: author.walletAddress, provider: null, holder: null };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
