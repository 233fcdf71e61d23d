import type { AuditListQuery } from '@keyfront/sdk';
import { readOneOf, readText, removeAbsent } from '../../../filters/read-filter.ts';

/** The filters of the log that stand in its URL. */
export type AuditFilters = Pick<AuditListQuery, 'subject' | 'subjectId'>;

export const auditSubjects = {
  CLIENT: 'Client',
  ORDER: 'Order',
  STRAIN: 'Strain',
  PLANET: 'Planet',
  DELIVERY_CHARGE: 'Delivery charge',
} as const;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  const subjectId = readText(search.subjectId);
  return removeAbsent({
    subject: readOneOf(Object.keys(auditSubjects) as (keyof typeof auditSubjects)[], search.subject),
    // A part of an id is no filter, and would be refused.
    subjectId: subjectId && uuidForm.test(subjectId) ? subjectId : undefined,
  });
}
