import type { AuditListQuery } from '@keyfront/sdk';
import { readId, readOneOf, readText, removeAbsent } from '../../../filters/read-filter.ts';
import { texts } from '../../../texts/lists.ts';

/** The filters of the log that stand in its URL. */
export type AuditFilters = Pick<AuditListQuery, 'subject' | 'subjectId'> & {
  /** What the subject is found by, in place of its id. */
  readonly search?: string;
};

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
    subjectId: readId(search.subjectId),
    search: readText(search.search),
  });
}

/** The filter for a text that somebody types: an id, or what a subject is found by. */
export function filterByText(text: string): { subjectId: string | null; search: string | null } {
  const subjectId = readId(text) ?? null;
  return { subjectId, search: subjectId === null ? text : null };
}
