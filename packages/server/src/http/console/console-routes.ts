import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/api-error.ts';
import { targetOf } from '../../lib/request/request-target.ts';
import { sendPrecompressed } from '../precompressed-file.ts';
import { ConsoleFiles } from './console-files.ts';

/** Who may see the wallets of the demo: browsers that were opened with the link of the start. */
interface DemoAccess {
  isGranted(request: FastifyRequest): boolean;
  /** Redirects a request with a token to the same address without it. Returns null if the request has none. */
  takeToken(request: FastifyRequest, reply: FastifyReply): FastifyReply | null;
}

interface ConsoleDependencies {
  /** Who is offered the wallets of the demo. Null if there are none to offer. */
  readonly demoAccess: DemoAccess | null;
  readonly chainId: number;
  readonly marketplaceContract: string | null;
  readonly explorerUrl: string | null;
  readonly isSandbox: boolean;
}

const prefix = '/console';

/** Serves the console: its files, and its page at every other path below `/console`, where the page decides what to show. */
export function addConsoleRoutes(
  app: FastifyInstance,
  { demoAccess, ...settings }: ConsoleDependencies,
): void {
  let opening: Promise<ConsoleFiles> | undefined;

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const redirected = demoAccess?.takeToken(request, reply);
    if (redirected) return redirected;
    // Opened with the first request, so that the start of the service does not wait for it.
    opening ??= ConsoleFiles.open();
    const files = await opening;
    const path = targetOf(request).path.slice(prefix.length + 1);
    const file = await files.findFile(path);
    if (file) return sendPrecompressed(request, reply, file);
    // A page in place of a missing script would only hide the cause.
    if (path.startsWith('assets/')) {
      throw new ApiError('ROUTE_NOT_FOUND', { message: `Cannot ${request.method} ${prefix}/${path}` });
    }
    const demoWallets = demoAccess ? (demoAccess.isGranted(request) ? 'available' : 'locked') : 'none';
    return sendPage(reply, await files.readPage(), path, { ...settings, demoWallets });
  };
  app.get(prefix, serve);
  app.get(`${prefix}/*`, serve);
}

function sendPage(reply: FastifyReply, page: string, path: string, settings: object): FastifyReply {
  const nonce = randomBytes(18).toString('base64url');
  const html = page
    // What is shown until the scripts have run.
    .replace('%KEYFRONT_PAGE%', path === 'sign-in' ? 'sign-in' : 'frame')
    .replace('%KEYFRONT_NONCE%', nonce)
    .replace('%KEYFRONT_SETTINGS%', () => escapeAttribute(JSON.stringify(settings)));
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy(nonce),
      // Wallets that are not extensions open a window of their own.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    })
    .send(html);
}

/**
 * Scripts and the typeface come from files of the console only. Style elements need the nonce: the component library adds some while the page
 * runs. Icons of wallets are data URLs.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
