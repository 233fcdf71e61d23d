import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import type { RateLimits } from '../../limits/rates/rate-limits.ts';
import type { ConsoleAccess } from './console-access.ts';

interface DemoWallet {
  readonly walletAddress: string;
  readonly walletPrivateKey: string;
}

/** The part of the demo file that the console needs. */
export interface DemoWallets {
  readonly holders: readonly (DemoWallet & { readonly name: string })[];
  readonly admin: DemoWallet;
}

interface DemoWalletDependencies {
  /** Null if there are none. */
  readonly read: () => Promise<DemoWallets | null>;
  readonly access: ConsoleAccess;
  readonly limits: RateLimits;
}

/**
 * `GET /console/demo-wallets`: the private keys of the demo's wallets, with which a visitor of the console signs in without a
 * wallet of their own. For everybody but a page of this service in a browser that has opened the link of the start, the route does
 * not exist. It lies below `/console`, so that browsers send the cookie to nothing else.
 */
export function addDemoWalletRoutes(
  app: FastifyInstance,
  { read, access, limits }: DemoWalletDependencies,
): void {
  app.get('/console/demo-wallets', async (request, reply) => {
    reply.headers(await limits.take('address', request.ip));
    if (!access.isGranted(request) || !isSameOrigin(request)) throw routeNotFound(request);
    const wallets = await read();
    if (!wallets) throw routeNotFound(request);
    const keyOf = ({ walletAddress, walletPrivateKey }: DemoWallet) => ({ walletAddress, walletPrivateKey });
    return reply.send({
      wallets: [
        ...wallets.holders.map((holder) => ({ name: holder.name, isAdmin: false, ...keyOf(holder) })),
        { name: 'Administrator', isAdmin: true, ...keyOf(wallets.admin) },
      ],
    });
  });
}

/**
 * Whether no page of another origin sends the request. Its browser would hide the response from it, unless the operator allows
 * the origin in `CORS_ORIGINS`, which is meant for the API and not for these keys.
 */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return (
    (headers.origin === undefined || headers.origin === `http://${headers.host}`) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  );
}

/** As if there were no such route. */
function routeNotFound(request: FastifyRequest): ApiError {
  return new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${targetOf(request).path}` });
}
