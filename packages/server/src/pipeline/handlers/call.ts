import type { Access, BodyOf, Operation, ParametersOf, QueryOf, ResponseOf } from '@keyfront/protocol';
import type { CallerScope, GuardedAccess } from '../../auth/guard.ts';
import type { AdministratorScope, HolderScope, WalletScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import type { Actor } from '../../lib/errors/actor.ts';
import type { SecurityEventName } from '../../observability/security-event.ts';
import type { Input } from '../input/compile-input.ts';
import type { FileResponse } from '../responses/file-response.ts';
import type { HtmlPage } from '../responses/html-page.ts';
import type { ResponseCache } from '../responses/response-cache.ts';

/** What a handler gets: the parts of the request as their schemas describe them, and the scope of the caller. */
export interface Call<Definition extends Operation> {
  readonly parameters: ParametersOf<Definition>;
  readonly query: QueryOf<Definition>;
  readonly body: BodyOf<Definition>;
  readonly scope: ScopeOf<Definition>;
  /**
   * An authenticated POST runs in this transaction, which also stores its response for the `Idempotency-Key`, or the id of
   * the message of a provider. Not so with `hasOwnTransactions`.
   */
  readonly tx: Definition extends { method: 'POST'; access: Exclude<Access, 'public'> }
    ? RunInTransaction
    : undefined;
}

type ScopeOf<Definition extends Operation> = Definition['access'] extends 'public' | 'provider'
  ? undefined
  : Definition extends { readonly needsNoDigitalKey: true }
    ? WalletScope
    : Definition['access'] extends 'administrator'
      ? AdministratorScope
      : Definition extends { readonly errors: readonly (infer Code)[] }
        ? 'HOLDER_REQUIRED' extends Code
          ? HolderScope
          : Exclude<CallerScope, WalletScope>
        : Exclude<CallerScope, WalletScope>;

export type Handler<Definition extends Operation> = (
  call: Call<Definition>,
) => Promise<AnswerOf<Definition>> | AnswerOf<Definition>;

type AnswerOf<Definition extends Operation> = Definition extends { readonly page: object }
  ? HtmlPage
  : ResponseOf<Definition>;

interface FileCall<Definition extends Operation> {
  readonly query: QueryOf<Definition>;
  readonly scope: ScopeOf<Definition>;
}

/** What the stream of an operation gets. */
export interface StreamCall<Definition extends Operation> extends FileCall<Definition> {
  /** Whether a request with the credential of the caller would still be accepted. */
  readonly isStillAuthorized: () => Promise<boolean>;
  /** When the stream must end because the signature of its request does. Undefined: the signature names no end. */
  readonly signatureEndsAtMs: number | undefined;
  readonly lastEventId: string | undefined;
}

export interface RouteOptions<Definition extends Operation> {
  /** Makes the stream of an operation that has one. */
  readonly stream?: (call: StreamCall<Definition>) => AsyncGenerator<string>;
  /** Makes the file of an operation that has one. */
  readonly file?: (call: FileCall<Definition>) => FileResponse;
  /**
   * Whether queries of a GET may go to a replica, for lists and statistics. They find whatever was acknowledged before
   * the request.
   */
  readonly readsReplica?: boolean;
  /** Caches responses that are the same for every caller. */
  readonly cache?: ResponseCache;
  /**
   * Runs before the handler at an address whose path contains parameters of the query. There they name a resource that must exist, and
   * are no filter.
   */
  readonly requireQueryInPath?: (call: FileCall<Definition>) => Promise<void>;
  /** Runs before the transaction of a POST, for checks that wait for other servers and should hold no connection meanwhile. */
  readonly before?: (call: { readonly body: BodyOf<Definition> }) => Promise<void>;
  /**
   * Whether a POST begins transactions of its own, because one would hold its locks for too long. Its response is stored when it is done.
   * What it does must be safe to repeat: a request that is sent again meanwhile does it too.
   */
  readonly hasOwnTransactions?: boolean;
  /** Lets a POST with transactions of its own wait for others, together with its `Idempotency-Key`. */
  readonly inTurn?: InTurn;
  /** In which scope the transaction of a POST runs, if the privileges of the caller do not suffice for it. The handler checks what the caller may do. */
  readonly transactionScope?: (scope: CallerScope) => CallerScope;
  /** Lets a POST share a transaction with others of the caller that arrive at the same time, see `Database.shareTransaction`. */
  readonly shareTransaction?: {
    /** What two requests in one transaction must not have in common. */
    readonly conflictKeysOf: (body: BodyOf<Definition>) => readonly string[];
  };
  /** Runs after a change is committed and before the response is sent. */
  readonly after?: () => void | Promise<void>;
  /** The event of the security log that a success is. A change by an administrator is `admin.acted` by default. */
  readonly securityEvent?: SecurityEventName;
  /** Who has called a public operation, for its event. */
  readonly describeActor?: (body: BodyOf<Definition>) => Actor;
}

export type InTurn = <Result>(scope: CallerScope, work: () => Promise<Result>) => Promise<Result>;

export type GuardedOperation = Operation & { readonly access: GuardedAccess };

/** The handler of any operation. The schemas prove what the types of its own handler say about the input. */
export type AnyHandler = (
  call: Input & { scope?: CallerScope; tx?: RunInTransaction | undefined },
) => unknown;

/** The options of any operation. */
export interface AnyRouteOptions {
  readonly stream?: (
    call: Input & {
      scope: CallerScope;
      isStillAuthorized: () => Promise<boolean>;
      signatureEndsAtMs: number | undefined;
      lastEventId: string | undefined;
    },
  ) => AsyncGenerator<string>;
  readonly file?: (call: Input & { scope: CallerScope }) => FileResponse;
  readonly readsReplica?: boolean;
  readonly cache?: ResponseCache;
  readonly requireQueryInPath?: (call: Parameters<AnyHandler>[0]) => Promise<void>;
  readonly before?: (call: Input) => Promise<void>;
  readonly hasOwnTransactions?: boolean;
  readonly inTurn?: InTurn;
  readonly transactionScope?: (scope: CallerScope) => CallerScope;
  readonly shareTransaction?: { readonly conflictKeysOf: (body: unknown) => readonly string[] };
  readonly after?: () => void | Promise<void>;
  readonly securityEvent?: SecurityEventName;
  readonly describeActor?: (body: unknown) => Actor;
}

/** Lists the fields: V8 makes slow objects of `{ ...spread, added }`, and this runs for every request. */
export function callOf({ parameters, query, body }: Input, scope: CallerScope, tx?: RunInTransaction) {
  return { parameters, query, body, scope, tx };
}
