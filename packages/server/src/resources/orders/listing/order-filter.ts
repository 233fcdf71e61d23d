import {
  type Approval,
  beginningOf,
  endOf,
  type OrderListQuery,
  type OrderSortField,
  type OrderStatus,
  type PaymentStatus,
  readMoment,
} from '@keyfront/protocol';
import { validationFailed } from '../../../api-error.ts';

/** Which orders are meant; null where anything is. */
export interface OrderFilter {
  readonly from: Date | null;
  /** Included, to the millisecond. */
  readonly to: Date | null;
  readonly search: { readonly text: string; readonly by: SearchField[] } | null;
  readonly orderStatus: OrderStatus | null;
  readonly paymentStatus: PaymentStatus | null;
  readonly adminApproval: Approval | null;
  readonly clientId: string | null;
  /** The digital key; null for the whole platform. */
  readonly tokenId: number | null;
}

export type SearchField = 'clientName' | 'email' | 'invoiceNumber';
const searchFields: readonly SearchField[] = ['clientName', 'email', 'invoiceNumber'];

export interface OrderSort {
  readonly field: OrderSortField;
  readonly direction: 'asc' | 'desc';
}

type FilterQuery = Pick<
  OrderListQuery,
  'startDate' | 'endDate' | 'search' | 'searchBy' | 'status' | 'paymentStatus' | 'adminApproval' | 'clientId'
>;

/** The filter that a query means, or the 400. Empty values filter nothing. */
export function readOrderFilter(query: FilterQuery, tokenId: number | null): OrderFilter {
  const start = query.startDate ? readMoment(query.startDate) : null;
  const end = query.endDate ? readMoment(query.endDate) : null;
  const from = start && beginningOf(start);
  const to = end && endOf(end);
  if (from && to && to < from) throw validationFailed(['endDate must not be before startDate']);
  return {
    from,
    to,
    search: query.search
      ? { text: query.search, by: query.searchBy ? [query.searchBy] : [...searchFields] }
      : null,
    orderStatus: query.status || null,
    paymentStatus: query.paymentStatus || null,
    adminApproval: query.adminApproval || null,
    clientId: query.clientId ?? null,
    tokenId,
  };
}

/** The order that a query asks for; the newest first when it asks for none. */
export function readOrderSort(orderBy: OrderListQuery['orderBy']): OrderSort {
  if (!orderBy) return { field: 'createdAt', direction: 'desc' };
  if (orderBy === 'asc' || orderBy === 'desc') return { field: 'createdAt', direction: orderBy };
  const [field, direction = 'asc'] = orderBy.split(':') as [OrderSortField, ('asc' | 'desc')?];
  return { field, direction };
}
