import type { IconName } from '../components/icon.tsx';
import { waitingOrders } from '../pages/admin/orders/admin-order-filters.ts';
import type { Session } from '../session/session-store.ts';

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
      { label: 'Overview', to: '/', icon: 'overview' },
      { label: 'Orders', to: '/orders', icon: 'orders' },
      { label: 'Clients', to: '/clients', icon: 'clients' },
      { label: 'Carts', to: '/carts', icon: 'cart' },
      { label: 'Sales', to: '/sales', icon: 'sales' },
      { label: 'Catalogue', to: '/catalogue', icon: 'catalogue' },
      { label: 'Marketplace', to: '/marketplace', icon: 'market' },
    ],
  },
  {
    title: 'For builders',
    items: [
      { label: 'API keys', to: '/keys', icon: 'keys' },
      { label: 'Webhooks', to: '/webhooks', icon: 'webhooks' },
      { label: 'Events', to: '/events', icon: 'events' },
      { label: 'Request explorer', to: '/explorer', icon: 'explorer' },
    ],
  },
];

const administratorSections: readonly NavigationSection[] = [
  { title: null, items: [{ label: 'Overview', to: '/admin', icon: 'overview' }] },
  {
    title: 'Queues',
    items: [
      { label: 'Orders', to: '/admin/orders', search: waitingOrders, icon: 'orders' },
      { label: 'Clients', to: '/admin/clients', search: { adminApproval: 'PENDING' }, icon: 'clients' },
      { label: 'Refunds due', to: '/admin/refunds', icon: 'refund', count: 'refundsDue' },
    ],
  },
  {
    title: 'Platform',
    items: [
      { label: 'Holders', to: '/admin/holders', icon: 'holders' },
      { label: 'Catalogue', to: '/admin/catalogue', icon: 'catalogue' },
      { label: 'Planets', to: '/admin/planets', icon: 'planets' },
      { label: 'Delivery', to: '/admin/delivery', icon: 'delivery' },
      { label: 'Audit log', to: '/admin/audit', icon: 'audit' },
      { label: 'Request explorer', to: '/explorer', icon: 'explorer' },
    ],
  },
];

/** Where a role can go. The sidebar and the command palette show the same. */
export function navigationOf(role: Session['role']): readonly NavigationSection[] {
  return role === 'administrator' ? administratorSections : holderSections;
}
