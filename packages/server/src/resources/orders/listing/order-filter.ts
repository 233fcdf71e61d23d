import {
  type Approval,
  endOf,
  type OrderExportFileQuery,
  type OrderSortField,
  type OrderStatus,
  orderSearchFields,
  type PaymentStatus,
  parseMoment,
  startOf,
  uuidForm,
} from '@keyfront/protocol';
import { validationFailed } from '../../../lib/errors/api-error.ts';

/** Which orders to select. Null: no filter. */
export interface OrderFilter {
  readonly from: Date | null;
  /** Inclusive, to the millisecond. */
  readonly to: Date | null;
  readonly search: { readonly text: string; readonly by: SearchField[] } | null;
  readonly orderStatus: OrderStatus | null;
  readonly paymentStatus: PaymentStatus | null;
  readonly adminApproval: Approval | null;
  readonly clientId: string | null;
  readonly clientIds: readonly string[] | null;
  readonly externalReference: string | null;
  readonly isRefundDue: boolean | null;
  /** The digital key; null for the whole platform. */
  readonly tokenId: number | null;
}

export type SearchField = (typeof orderSearchFields)[number];

export interface OrderSort {
  readonly field: OrderSortField;
  readonly direction: 'asc' | 'desc';
}

/** The filters of a list or an export. An empty value means no filter, except that of an id. */
export type OrderFilterQuery = Partial<OrderExportFileQuery> & {
  readonly clientId?: string;
  readonly clientIds?: string;
  readonly externalReference?: string;
  readonly refundDue?: 'true' | 'false';
};

/** Reads the filter of a query, or throws the 400. */
export function readOrderFilter(query: OrderFilterQuery, tokenId: number | null): OrderFilter {
  const start = query.startDate ? parseMoment(query.startDate) : null;
  const end = query.endDate ? parseMoment(query.endDate) : null;
  const from = start && startOf(start);
  const to = end && endOf(end);
  if (from && to && to < from) throw validationFailed(['endDate must not be before startDate']);
  return {
    from,
    to,
    search: query.search
      ? { text: query.search, by: query.searchBy ? [query.searchBy] : [...orderSearchFields] }
      : null,
    orderStatus: query.status || null,
    paymentStatus: query.paymentStatus === 'COMPLETED' ? 'PAID' : query.paymentStatus || null,
    adminApproval: query.adminApproval || null,
    clientId: query.clientId ?? null,
    clientIds: query.clientIds === undefined ? null : readClientIds(query.clientIds),
    externalReference: query.externalReference ?? null,
    isRefundDue: query.refundDue === undefined ? null : query.refundDue === 'true',
    tokenId,
  };
}

/** Reads a JSON array of ids, or ids separated by commas. */
function readClientIds(text: string): string[] {
  const ids = text.trimStart().startsWith('[') ? parseArray(text) : text.split(',').map((id) => id.trim());
  const isId = (id: unknown): id is string => typeof id === 'string' && uuidForm.test(id);
  if (!ids?.every(isId)) {
    throw validationFailed(['clientIds must be a JSON array of UUIDs, or UUIDs separated by commas']);
  }
  return ids;
}

function parseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Reads the sort order of a query. The default is the newest first. */
export function readOrderSort(orderBy: OrderFilterQuery['orderBy']): OrderSort {
  if (!orderBy) return { field: 'createdAt', direction: 'desc' };
  if (orderBy === 'asc' || orderBy === 'desc') return { field: 'createdAt', direction: orderBy };
  const [field, direction = 'asc'] = orderBy.split(':') as [OrderSortField, ('asc' | 'desc')?];
  return { field, direction };
}
