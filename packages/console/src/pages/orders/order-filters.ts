import type { OrderListQuery } from '@keyfront/sdk';
import { readDay, readId, readOneOf, readText, removeAbsent } from '../../filters/read-filter.ts';
import { texts } from '../../texts/lists.ts';

/** The filters of the list that stand in its URL. */
export type OrderFilters = Pick<
  OrderListQuery,
  | 'search'
  | 'status'
  | 'paymentStatus'
  | 'adminApproval'
  | 'startDate'
  | 'endDate'
  | 'orderBy'
  | 'clientId'
  | 'externalReference'
  | 'refundDue'
>;

/** The filters that the export of orders has too. */
export function hasExport({ clientId, externalReference, refundDue }: OrderFilters): boolean {
  return clientId === undefined && externalReference === undefined && refundDue === undefined;
}

const orderStatuses = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
const paymentStatuses = ['PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED'] as const;
const approvals = ['PENDING', 'VERIFIED', 'REJECTED'] as const;
export const orderSorts = {
  'createdAt:desc': texts.newestFirst,
  'createdAt:asc': texts.oldestFirst,
  'updatedAt:desc': texts.lastChangedFirst,
  'totalAmount:desc': texts.largestFirst,
  'totalAmount:asc': texts.smallestFirst,
  'invoiceNumber:asc': texts.byInvoiceAToZ,
  'invoiceNumber:desc': texts.byInvoiceZToA,
} as const;

/** The filters of a URL. What is not one is left out. */
export function readOrderFilters(search: Record<string, unknown>): OrderFilters {
  return removeAbsent({
    search: readText(search.search),
    status: readOneOf(orderStatuses, search.status),
    paymentStatus: readOneOf(paymentStatuses, search.paymentStatus),
    adminApproval: readOneOf(approvals, search.adminApproval),
    startDate: readDay(search.startDate),
    endDate: readDay(search.endDate),
    orderBy: readOneOf(Object.keys(orderSorts) as (keyof typeof orderSorts)[], search.orderBy),
    clientId: readId(search.clientId),
    externalReference: readText(search.externalReference)?.slice(0, 100),
    refundDue: readOneOf(['true', 'false'], search.refundDue),
  });
}
