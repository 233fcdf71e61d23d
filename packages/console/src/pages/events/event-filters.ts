import { readText, removeAbsent } from '../../filters/read-filter.ts';

/** The filters of the list that stand in its URL. */
export interface EventFilters {
  /** Types of events, such as `order.*, payment.paid`. */
  readonly type?: string;
}

/** The filters of a URL. What is not one is left out. */
export function readEventFilters(search: Record<string, unknown>): EventFilters {
  return removeAbsent({ type: readText(search.type) });
}
