import { type ErrorCode, SuccessEnvelope, success } from '@keyfront/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Access, Caller, CallerScope, Guard, GuardedAccess } from '../auth/guard.ts';
import type { ClientConnection } from '../database/client-connection.ts';
import type { Database } from '../database/database.ts';
import type { RunInTransaction } from '../database/transaction.ts';
import type { LimitName } from '../rate-limit/limits.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { thenMaybe } from '../then-maybe.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type FileResponse, prefersContent, sendFile } from './file-response.ts';
import { type Answer, answerOnce, readIdempotencyKey } from './idempotency/idempotency.ts';
import type { ResponseCipher } from './idempotency/response-cipher.ts';
import { compileInput, type Input } from './input/compile-input.ts';
import type { ResponseCache } from './response-cache.ts';
import { SocketConnection } from './socket-connection.ts';

/** Everything that is said about an operation: what is validated, what is answered, what stands in the reference. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the version prefix, with `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** A verb and a noun, unique: clients name their methods after it. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a public operation counts under, where that is not the limit of an address. */
  readonly limit?: LimitName;
  /** 201 for what creates. */
  readonly status?: 200 | 201;
  readonly parameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly answer: TSchema;
  /** Whether the answer holds a secret, which is kept nowhere in the open. */
  readonly responseIsSecret?: boolean;
  /** What may be had instead of JSON, by asking for it in `Accept`. */
  readonly file?: {
    readonly contentType: string;
    readonly description: string;
    readonly query: TObject;
  };
  /** Errors that it answers with beyond those that follow from what it takes and whom it admits. */
  readonly errors?: readonly ErrorCode[];
  /** A `data` that the operation may answer with, for the reference. */
  readonly example: unknown;
}

type Value<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** What a handler gets: the parts of the request as their schemas describe them, and the scope of the caller. */
export interface Call<Definition extends Operation> {
  readonly parameters: Value<Definition['parameters']>;
  readonly query: Value<Definition['query']>;
  readonly body: Value<Definition['body']>;
  readonly scope: Definition['access'] extends 'public' ? undefined : CallerScope;
  /** A POST of a caller does its work in this transaction, in which its answer is kept too. */
  readonly run: Definition extends { method: 'POST'; access: Exclude<Access, 'public'> }
    ? RunInTransaction
    : undefined;
}

type Handler<Definition extends Operation> = (
  call: Call<Definition>,
) => Promise<Static<Definition['answer']>> | Static<Definition['answer']>;

interface FileCall<Definition extends Operation> {
  readonly query: Definition['file'] extends { query: infer Query } ? Value<Query> : undefined;
  readonly scope: CallerScope;
}

/** Other ways to an answer than making it anew as JSON. */
interface RouteOptions<Definition extends Operation> {
  /** For an operation that has a `file`. */
  readonly file?: (call: FileCall<Definition>) => FileResponse;
  /** For an answer that is the same for every caller. */
  readonly kept?: ResponseCache;
  /** For a change: called when it is committed, before it is answered. */
  readonly after?: () => void;
}

export interface RouterParts {
  readonly guard: Guard;
  readonly limits: RateLimits;
  readonly database: Database;
  readonly seal: ResponseCipher;
  readonly concurrencyLimiter: ConcurrencyLimiter;
}

export const versionPrefix = '/api/v1';
const jsonType = 'application/json; charset=utf-8';

/** Where resources put their operations. */
export class Router {
  readonly operations: Operation[] = [];
  readonly #app: FastifyInstance;
  readonly #parts: RouterParts;

  constructor(app: FastifyInstance, parts: RouterParts) {
    this.#app = app;
    this.#parts = parts;
  }

  /** Adds one operation. The way of a request: who calls, what is asked, the rule, the envelope. */
  add<const Definition extends Operation>(
    definition: Definition,
    handle: Handler<Definition>,
    ways: RouteOptions<Definition> = {},
  ): void {
    this.operations.push(definition);
    this.#app.route({
      method: definition.method,
      url: versionPrefix + definition.path,
      // Fastify serialises by this schema: an answer can only contain what it names.
      schema: { response: { [definition.status ?? 200]: SuccessEnvelope(definition.answer) } },
      // The schemas prove what the types of the handlers say of the input, the access what they say of the scope.
      handler: this.#handlerOf(definition, handle as AnyHandler, ways as AnyRouteOptions),
    });
  }

  #handlerOf(definition: Operation, handle: AnyHandler, ways: AnyRouteOptions): RouteHandlerMethod {
    const { access, method } = definition;
    if (access === 'public') return this.#publicHandler(definition, handle);
    const guarded = { ...definition, access };
    if (method === 'POST') return this.#creatingHandler(guarded, handle, ways);
    if (ways.kept) return this.#keptHandler(guarded, handle, ways.kept);
    return this.#usualHandler(guarded, handle, ways);
  }

  #publicHandler(definition: Operation, handle: AnyHandler): RouteHandlerMethod {
    const { limit = 'address', status = 200 } = definition;
    const { limits } = this.#parts;
    const readInput = compileInput(definition);
    return async (request, reply) => {
      reply.headers(await limits.take(limit, request.ip));
      reply.code(status);
      return success(status, await handle(readInput(request)));
    };
  }

  #creatingHandler(
    definition: GuardedOperation,
    handle: AnyHandler,
    { after }: AnyRouteOptions,
  ): RouteHandlerMethod {
    const { guard } = this.#parts;
    const readInput = compileInput(definition);
    return this.#admitted(async (request, reply) => {
      const caller = await guard(request, reply, definition.access);
      const input = readInput(request);
      const answer = await this.#create(definition, handle, { request, reply, caller, input });
      after?.();
      if (answer.isReplayed) reply.header('idempotent-replayed', 'true');
      return reply.code(answer.statusCode).type(jsonType).send(answer.body);
    });
  }

  #keptHandler(
    { id, access, status = 200, ...schemas }: GuardedOperation,
    handle: AnyHandler,
    kept: ResponseCache,
  ): RouteHandlerMethod {
    const { guard } = this.#parts;
    const readInput = compileInput(schemas);
    return (request, reply) =>
      thenMaybe(guard(request, reply, access), () => {
        reply.type(jsonType);
        const atHand = kept.find(request.url);
        if (atHand) return reply.send(atHand);
        const input = readInput(request);
        const name = `${id} ${JSON.stringify([input.parameters, input.query])}`;
        const make = async () => serialise(reply, status, await handle(input));
        return kept.answer(request.url, name, make).then((body) => reply.send(body));
      });
  }

  #usualHandler(definition: GuardedOperation, handle: AnyHandler, ways: AnyRouteOptions): RouteHandlerMethod {
    const { access, method, status = 200, file } = definition;
    const { guard } = this.#parts;
    const readInput = compileInput(definition);
    const readFileInput = file && compileInput({ query: file.query });
    return this.#admitted(async (request, reply, presence) => {
      const caller = await guard(request, reply, access);
      // What is read for nobody can be given up. What is to be changed is changed.
      const scope = method === 'GET' ? waitedForBy(caller.scope, presence) : caller.scope;
      if (file && readFileInput && ways.file) {
        reply.header('vary', 'accept');
        if (prefersContent(request.headers.accept, file.contentType)) {
          return sendFile(reply, ways.file(callOf(readFileInput(request), scope)));
        }
      }
      const data = await handle(callOf(readInput(request), scope));
      ways.after?.();
      reply.code(status);
      return success(status, data);
    });
  }

  /** Lets a request wait for its turn before anything is done for it. */
  #admitted(
    work: (request: FastifyRequest, reply: FastifyReply, presence: ClientConnection) => Promise<unknown>,
  ): RouteHandlerMethod {
    const { concurrencyLimiter } = this.#parts;
    return async (request, reply) => {
      const presence = new SocketConnection(request.raw.socket);
      await concurrencyLimiter.enter(presence);
      try {
        return await work(request, reply, presence);
      } finally {
        concurrencyLimiter.leave();
      }
    };
  }

  /** Does the work of a POST in one transaction, with its answer where the caller sent an Idempotency-Key. */
  async #create(
    { status = 200, responseIsSecret }: Operation,
    handle: AnyHandler,
    { request, reply, caller, input }: CreatingRequest,
  ): Promise<Answer> {
    const { scope } = caller;
    const { database, seal } = this.#parts;
    const key = readIdempotencyKey(request);
    const work = async (run: RunInTransaction) => ({
      statusCode: status,
      body: Buffer.from(serialise(reply, status, await handle(callOf(input, scope, run)))),
    });
    if (key === null) return { ...(await database.transaction(scope, work)), isReplayed: false };
    return answerOnce(database, { request, caller, key, seal: responseIsSecret ? seal : null }, work);
  }
}

type GuardedOperation = Operation & { readonly access: GuardedAccess };
type AnyHandler = (call: Input & { scope?: CallerScope; run?: RunInTransaction | undefined }) => unknown;
interface AnyRouteOptions {
  readonly file?: (call: Input & { scope: CallerScope }) => FileResponse;
  readonly kept?: ResponseCache;
  readonly after?: () => void;
}
interface CreatingRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly input: Input;
}

/** The text of a success, by the schema of the route. */
function serialise(reply: FastifyReply, status: number, data: unknown): string {
  return String(reply.serializeInput({ ...success(status, data) }, String(status)));
}

/** Field by field, here and below: of an object that is spread and added to, V8 makes one that is slow ever after. */
function callOf({ parameters, query, body }: Input, scope: CallerScope, run?: RunInTransaction) {
  return { parameters, query, body, scope, run };
}

function waitedForBy(scope: CallerScope, presence: ClientConnection): CallerScope {
  const { role, walletAddress } = scope;
  if (role === 'administrator') return { role, walletAddress, presence };
  const { holderId, tokenId } = scope;
  return { role, holderId, tokenId, walletAddress, presence };
}
