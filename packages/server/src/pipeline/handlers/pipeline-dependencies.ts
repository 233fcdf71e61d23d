import type { Guard } from '../../auth/guard.ts';
import type { Database } from '../../database/database.ts';
import type { ConcurrencyLimits } from '../../limits/concurrency/concurrency-limits.ts';
import type { RateLimits } from '../../limits/rates/rate-limits.ts';
import type { SecurityLog } from '../../observability/security-log.ts';
import type { RouteAlias } from '../aliases/route-alias.ts';
import type { CallbackSecrets } from '../callbacks/authenticate-callback.ts';
import type { ResponseCipher } from '../idempotency/response-cipher.ts';
import type { UnreadResponses } from '../responses/unread-responses.ts';

/** What the handlers of operations share. */
export interface PipelineDependencies {
  readonly securityLog: SecurityLog;
  readonly guard: Guard;
  readonly limits: RateLimits;
  readonly database: Database;
  readonly responseCipher: ResponseCipher;
  readonly callbackSecrets: CallbackSecrets;
  readonly concurrencyLimits: ConcurrencyLimits;
  readonly unreadResponses: UnreadResponses;
  /** Converts a URL of a response from the form that the database stores. The default changes nothing. */
  readonly publishUrl?: (url: string) => string;
  /** How long a client may take to accept a slice of a file; see file-response.ts. */
  readonly stallTimeoutMs: number;
  /** Other addresses of operations. The default is none. */
  readonly routeAliases?: readonly RouteAlias[];
}
