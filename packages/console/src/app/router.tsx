import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { Shell } from '../layout/shell.tsx';
import { readAuditFilters } from '../pages/admin/audit/audit-filters.ts';
import { readAdminClientFilters } from '../pages/admin/clients/admin-client-filters.ts';
import { readHolderFilters } from '../pages/admin/holders/holder-filters.ts';
import { readAdminOrderFilters } from '../pages/admin/orders/admin-order-filters.ts';
import { readCartFilters } from '../pages/carts/cart-filters.ts';
import { readAdminCatalogueFilters, readCatalogueFilters } from '../pages/catalogue/catalogue-filters.ts';
import { readClientFilters } from '../pages/clients/client-filters.ts';
import { readEventFilters } from '../pages/events/event-filters.ts';
import { readMarketplaceTab } from '../pages/marketplace/marketplace-tabs.ts';
import { readOrderFilters } from '../pages/orders/order-filters.ts';
import { dashboardAnalytics, dashboardSummary } from '../pages/overview/dashboard-queries.ts';
import { OverviewPage } from '../pages/overview/overview-page.tsx';
import { readOverviewSearch } from '../pages/overview/period.ts';
import { prefetchOnboarding } from '../pages/overview/use-onboarding.ts';
import { readReturnPath } from '../pages/sign-in/return-path.ts';
import { readDeliveryFilters } from '../pages/webhooks/delivery-filters.ts';
import { SandboxMark } from '../sandbox/sandbox-mark.tsx';
import { ownNfts } from '../session/own-nfts.ts';
import { getSession, subscribe } from '../session/session-store.ts';
import { lazyPage } from './lazy-page.tsx';
import { NotFound } from './not-found.tsx';
import { PageFailure } from './page-failure.tsx';
import { queryClientOf } from './query-client.ts';

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      {/* After the page, whose first link leads over its menu. */}
      <SandboxMark />
    </>
  ),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readReturnPath,
  beforeLoad: ({ search }) => {
    if (getSession()) throw redirect({ to: search.from ?? '/' });
  },
  component: lazyPage(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (getSession()) return;
    const from = location.href === '/' ? {} : { from: location.href };
    throw redirect({ to: '/sign-in', search: from });
  },
  component: Shell,
});

/** Any other address, inside the frame. */
const notFound = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

/** Of the pages of holders. Somebody else may have been on one before, in this tab or by a link that both have. */
const holderOnly = {
  beforeLoad: () => {
    if (getSession()?.role === 'administrator') throw redirect({ to: '/admin' });
  },
};

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: readOverviewSearch,
  ...holderOnly,
  // Beside what the scripts do until the page is drawn.
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { period = 'day', currency } }) => {
    const queryClient = queryClientOf(getSession());
    // One by one, so that the browser can react in between.
    for (const prefetch of [
      () => queryClient.prefetchQuery(dashboardAnalytics(period, currency)),
      () => queryClient.prefetchQuery(dashboardSummary),
      () => queryClient.prefetchQuery(ownNfts),
      () => prefetchOnboarding(queryClient),
    ])
      setTimeout(prefetch);
  },
  component: OverviewPage,
});

const orders = createRoute({
  getParentRoute: () => shell,
  path: '/orders',
  validateSearch: readOrderFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/orders/orders-page.tsx'), 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => shell,
  path: '/orders/$orderId',
  ...holderOnly,
  component: lazyPage(() => import('../pages/orders/order-page.tsx'), 'OrderPage'),
});

const clients = createRoute({
  getParentRoute: () => shell,
  path: '/clients',
  validateSearch: readClientFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/clients/clients-page.tsx'), 'ClientsPage'),
});

const client = createRoute({
  getParentRoute: () => shell,
  path: '/clients/$clientId',
  ...holderOnly,
  component: lazyPage(() => import('../pages/clients/client-page.tsx'), 'ClientPage'),
});

const carts = createRoute({
  getParentRoute: () => shell,
  path: '/carts',
  validateSearch: readCartFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/carts/carts-page.tsx'), 'CartsPage'),
});

const sales = createRoute({
  getParentRoute: () => shell,
  path: '/sales',
  ...holderOnly,
  component: lazyPage(() => import('../pages/sales/sales-page.tsx'), 'SalesPage'),
});

const catalogue = createRoute({
  getParentRoute: () => shell,
  path: '/catalogue',
  validateSearch: readCatalogueFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/catalogue/catalogue-page.tsx'), 'CataloguePage'),
});

const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  ...holderOnly,
  component: lazyPage(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: readEventFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
});

const explorer = createRoute({
  getParentRoute: () => shell,
  path: '/explorer',
  validateSearch: ({ operation }): { operation?: string } =>
    typeof operation === 'string' ? { operation } : {},
  component: lazyPage(() => import('../pages/explorer/explorer-page.tsx'), 'ExplorerPage'),
});

const marketplace = createRoute({
  getParentRoute: () => shell,
  path: '/marketplace',
  validateSearch: readMarketplaceTab,
  ...holderOnly,
  component: lazyPage(() => import('../pages/marketplace/marketplace-page.tsx'), 'MarketplacePage'),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  ...holderOnly,
  component: lazyPage(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$webhookId',
  validateSearch: readDeliveryFilters,
  ...holderOnly,
  component: lazyPage(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const admin = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  beforeLoad: () => {
    if (getSession()?.role !== 'administrator') throw redirect({ to: '/' });
  },
});

const adminOverview = createRoute({
  getParentRoute: () => admin,
  path: '/',
  component: lazyPage(() => import('../pages/admin/overview/admin-overview-page.tsx'), 'AdminOverviewPage'),
});

const adminOrders = createRoute({
  getParentRoute: () => admin,
  path: '/orders',
  validateSearch: readAdminOrderFilters,
  component: lazyPage(() => import('../pages/admin/orders/admin-orders-page.tsx'), 'AdminOrdersPage'),
});

const adminOrder = createRoute({
  getParentRoute: () => admin,
  path: '/orders/$orderId',
  component: lazyPage(() => import('../pages/admin/orders/admin-order-page.tsx'), 'AdminOrderPage'),
});

const adminRefunds = createRoute({
  getParentRoute: () => admin,
  path: '/refunds',
  component: lazyPage(() => import('../pages/admin/refunds/refunds-page.tsx'), 'RefundsPage'),
});

const adminClients = createRoute({
  getParentRoute: () => admin,
  path: '/clients',
  validateSearch: readAdminClientFilters,
  component: lazyPage(() => import('../pages/admin/clients/admin-clients-page.tsx'), 'AdminClientsPage'),
});

const adminClient = createRoute({
  getParentRoute: () => admin,
  path: '/clients/$clientId',
  component: lazyPage(() => import('../pages/admin/clients/admin-client-page.tsx'), 'AdminClientPage'),
});

const adminHolders = createRoute({
  getParentRoute: () => admin,
  path: '/holders',
  validateSearch: readHolderFilters,
  component: lazyPage(() => import('../pages/admin/holders/holders-page.tsx'), 'HoldersPage'),
});

const adminHolder = createRoute({
  getParentRoute: () => admin,
  path: '/holders/$holderId',
  component: lazyPage(() => import('../pages/admin/holders/holder-page.tsx'), 'HolderPage'),
});

const adminCatalogue = createRoute({
  getParentRoute: () => admin,
  path: '/catalogue',
  validateSearch: readAdminCatalogueFilters,
  component: lazyPage(
    () => import('../pages/admin/catalogue/admin-catalogue-page.tsx'),
    'AdminCataloguePage',
  ),
});

const adminPlanets = createRoute({
  getParentRoute: () => admin,
  path: '/planets',
  component: lazyPage(() => import('../pages/admin/planets/planets-page.tsx'), 'PlanetsPage'),
});

const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  validateSearch: readAuditFilters,
  component: lazyPage(() => import('../pages/admin/audit/audit-page.tsx'), 'AuditPage'),
});

const adminDelivery = createRoute({
  getParentRoute: () => admin,
  path: '/delivery',
  component: lazyPage(() => import('../pages/admin/delivery/delivery-page.tsx'), 'DeliveryPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      overview,
      orders,
      order,
      clients,
      client,
      carts,
      sales,
      catalogue,
      marketplace,
      keys,
      webhooks,
      webhook,
      events,
      explorer,
      admin.addChildren([
        adminOverview,
        adminOrders,
        adminOrder,
        adminRefunds,
        adminClients,
        adminClient,
        adminHolders,
        adminHolder,
        adminCatalogue,
        adminPlanets,
        adminAudit,
        adminDelivery,
      ]),
      notFound,
    ]),
  ]),
  basepath: '/console',
  // What the reader of a page leaves out leaves the URL too. Otherwise the router would hand it to the page all the same.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

// A session that begins, ends or makes way for another one, in any tab, changes what may be shown.
subscribe(() => void router.invalidate());
