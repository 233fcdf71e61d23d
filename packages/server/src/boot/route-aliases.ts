import type { OperationId, OrderWithLines } from '@keyfront/protocol';
import type { RouteAlias } from '../pipeline/aliases/route-alias.ts';

/**
 * Every other address of the API. Existing storefronts call these; new ones use the address of the operation, which each response
 * names in its `Link` header. The guide `docs/guides/existing-storefronts.md` lists exactly these.
 */
export const routeAliases: readonly (RouteAlias & { readonly operation: OperationId })[] = [
  { method: 'GET', path: '/strains', operation: 'listStrains' },
  { method: 'GET', path: '/strains/{strainId}', operation: 'getStrain' },

  { method: 'GET', path: '/carts', operation: 'listCarts' },
  { method: 'POST', path: '/carts', operation: 'addToCart' },
  { method: 'GET', path: '/carts/{cartId}', operation: 'getCart' },
  { method: 'PUT', path: '/carts/{cartId}', operation: 'replaceCart' },
  { method: 'DELETE', path: '/carts/{cartId}', operation: 'deleteFromCart' },

  { method: 'GET', path: '/orders', operation: 'listOrders' },
  { method: 'POST', path: '/orders', operation: 'createOrder' },
  { method: 'GET', path: '/orders/{orderId}', operation: 'getOrder' },
  { method: 'PATCH', path: '/orders/{orderId}', operation: 'updateOrder' },
  { method: 'GET', path: '/dapp/client/{clientId}/orders', operation: 'listOrders' },
  { method: 'GET', path: '/dapp/clients/{clientId}/orders', operation: 'listOrders' },
  { method: 'GET', path: '/client/{clientId}/orders', operation: 'listOrders' },
  { method: 'GET', path: '/clients/{clientId}/orders', operation: 'listOrders' },
  {
    method: 'GET',
    path: '/dapp/clients/{clientId}/orders/{orderId}',
    operation: 'getOrder',
    isWithin: (order, { clientId }) => (order as OrderWithLines).client.id === clientId?.toLowerCase(),
  },

  { method: 'GET', path: '/dapp/clients/list', operation: 'listClients' },
  { method: 'POST', path: '/client', operation: 'createClient' },
  { method: 'POST', path: '/clients', operation: 'createClient' },
  { method: 'GET', path: '/clients/{clientId}', operation: 'getClient' },
  { method: 'PATCH', path: '/clients/{clientId}', operation: 'updateClient' },
  { method: 'PUT', path: '/clients/{clientId}', operation: 'updateClient' },
  { method: 'PUT', path: '/dapp/clients/{clientId}', operation: 'updateClient' },
  { method: 'DELETE', path: '/clients/{clientId}', operation: 'archiveClient' },

  { method: 'GET', path: '/user/me', operation: 'getHolder' },
];
