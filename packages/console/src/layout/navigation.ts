import type { IconName } from '../components/icon.tsx';
import { waitingOrders } from '../pages/admin/orders/admin-order-filters.ts';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';

export interface NavigationItem {
  readonly label: string;
  readonly to: string;
  readonly icon: IconName;
  /** The filters that the page begins with. */
  readonly search?: Readonly<Record<string, string>>;
  /** What is counted beside the label. */
  readonly count?: 'refundsDue';
}

export interface NavigationSection {
  /** Null for the first one, which needs no name. */
  readonly title: string | null;
  readonly items: readonly NavigationItem[];
}

const holderSections: readonly NavigationSection[] = [
  {
    title: null,
    items: [
      { label: texts.overview, to: '/', icon: 'overview' },
      { label: texts.orders, to: '/orders', icon: 'orders' },
      { label: texts.clients, to: '/clients', icon: 'clients' },
      { label: texts.carts, to: '/carts', icon: 'cart' },
      { label: texts.sales, to: '/sales', icon: 'sales' },
      { label: texts.catalogue, to: '/catalogue', icon: 'catalogue' },
      { label: texts.marketplace, to: '/marketplace', icon: 'market' },
    ],
  },
  {
    title: texts.forBuilders,
    items: [
      { label: texts.apiKeys, to: '/keys', icon: 'keys' },
      { label: texts.webhooks, to: '/webhooks', icon: 'webhooks' },
      { label: texts.events, to: '/events', icon: 'events' },
      { label: texts.requestExplorer, to: '/explorer', icon: 'explorer' },
    ],
  },
];

const administratorSections: readonly NavigationSection[] = [
  { title: null, items: [{ label: texts.overview, to: '/admin', icon: 'overview' }] },
  {
    title: texts.queues,
    items: [
      { label: texts.orders, to: '/admin/orders', search: waitingOrders, icon: 'orders' },
      { label: texts.clients, to: '/admin/clients', search: { adminApproval: 'PENDING' }, icon: 'clients' },
      { label: texts.refundsDue, to: '/admin/refunds', icon: 'refund', count: 'refundsDue' },
    ],
  },
  {
    title: texts.platform,
    items: [
      { label: texts.holders, to: '/admin/holders', icon: 'holders' },
      { label: texts.catalogue, to: '/admin/catalogue', icon: 'catalogue' },
      { label: texts.planets, to: '/admin/planets', icon: 'planets' },
      { label: texts.delivery, to: '/admin/delivery', icon: 'delivery' },
      { label: texts.auditLog, to: '/admin/audit', icon: 'audit' },
      { label: texts.requestExplorer, to: '/explorer', icon: 'explorer' },
    ],
  },
];

/** Where a role can go. The sidebar and the command palette show the same. */
export function navigationOf(role: Session['role']): readonly NavigationSection[] {
  return role === 'administrator' ? administratorSections : holderSections;
}
