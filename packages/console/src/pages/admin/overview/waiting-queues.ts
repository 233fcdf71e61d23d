import type { AdminClientListQuery, AdminOrderListQuery } from '@keyfront/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { IconName } from '../../../components/icon.tsx';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-overview.ts';
import { waitingOrders } from '../orders/admin-order-filters.ts';

/** How much waits in a queue, and since when. */
export interface Waiting {
  readonly count: number;
  /** Null if nothing waits. */
  readonly oldestAt: string | null;
}

interface WaitingQueue {
  readonly title: string;
  readonly hint: string;
  readonly icon: IconName;
  /** The list of what is counted. */
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly read: (signal: AbortSignal) => Promise<Waiting>;
}

/** An order that is decided waits since its last change: the decision, the payment or the cancellation that has brought it here. */
async function readOrders(query: AdminOrderListQuery, signal: AbortSignal): Promise<Waiting> {
  const since = query.adminApproval === 'PENDING' ? 'createdAt' : 'updatedAt';
  const { orders, pageMetaDto } = await getKeyfront().admin.orders.list(
    { ...query, orderBy: `${since}:asc`, take: 1 },
    { signal },
  );
  return { count: pageMetaDto.itemCount, oldestAt: orders[0]?.[since] ?? null };
}

/** A client waits since they were added: the service lists them by that. */
async function readClients(query: AdminClientListQuery, signal: AbortSignal): Promise<Waiting> {
  const { clients, pageMetaDto } = await getKeyfront().admin.clients.list(
    { ...query, orderBy: 'asc', take: 1 },
    { signal },
  );
  return { count: pageMetaDto.itemCount, oldestAt: clients[0]?.createdAt ?? null };
}

const ofOrders = <Search extends AdminOrderListQuery & Readonly<Record<string, string>>>(search: Search) => ({
  to: '/admin/orders',
  search,
  read: (signal: AbortSignal) => readOrders(search, signal),
});
const ofClients = <Search extends AdminClientListQuery & Readonly<Record<string, string>>>(
  search: Search,
) => ({
  to: '/admin/clients',
  search,
  read: (signal: AbortSignal) => readClients(search, signal),
});

/** What administrators work through. Everything waits in one of them, and what is cancelled or rejected in none. */
export const waitingQueues: readonly WaitingQueue[] = [
  {
    title: texts.ordersToApprove,
    hint: texts.nobodyHasDecidedAboutThem,
    icon: 'orders',
    ...ofOrders(waitingOrders),
  },
  {
    title: texts.clientsToApprove,
    hint: texts.theyCannotOrderBefore,
    icon: 'clients',
    ...ofClients({ adminApproval: 'PENDING' }),
  },
  {
    title: texts.identityChecks,
    hint: texts.approvedClientsWhoseIdentityIsNot,
    icon: 'eye',
    ...ofClients({ adminApproval: 'VERIFIED', isKYCVerified: 'false' }),
  },
  {
    title: texts.refundsDue,
    hint: texts.paidTwiceOrPaidAndCancelled,
    icon: 'refund',
    to: '/admin/refunds',
    search: {},
    read: (signal) => readOrders({ refundDue: 'true' }, signal),
  },
  {
    title: texts.ordersToBegin,
    hint: texts.approvedAndPaidAndNobodyWorks,
    icon: 'queue',
    ...ofOrders({ status: 'PENDING', adminApproval: 'VERIFIED', paymentStatus: 'PAID' }),
  },
  {
    title: texts.ordersToShip,
    hint: texts.paidAndBeingPrepared,
    icon: 'delivery',
    ...ofOrders({ status: 'PROCESSING', paymentStatus: 'PAID' }),
  },
];

/** Nobody tells an administrator what has happened. */
const refreshMs = 30_000;

/** How much waits in a queue now. */
export const waitingIn = ({ title, read }: WaitingQueue) =>
  queryOptions({
    queryKey: ['admin', 'waiting', title],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: refreshMs,
  });
