import type { AuditListQuery } from '@keyfront/sdk';
import { readId, readOneOf, removeAbsent } from '../../../filters/read-filter.ts';
import { texts } from '../../../texts/lists.ts';

/** The filters of the log that stand in its URL. */
export type AuditFilters = Pick<AuditListQuery, 'subject' | 'subjectId'>;

export const auditSubjects = {
  CLIENT: texts.client,
  ORDER: texts.order,
  STRAIN: texts.strain,
  PLANET: texts.planet,
  DELIVERY_CHARGE: texts.deliveryCharge,
} as const;

export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  return removeAbsent({
    subject: readOneOf(Object.keys(auditSubjects) as (keyof typeof auditSubjects)[], search.subject),
    // A part of an id is no filter, and would be refused.
    subjectId: readId(search.subjectId),
  });
}
