import {
  type Access,
  type BodyOf,
  bodyLimitOf,
  isGuarded,
  type Operation,
  type ParametersOf,
  type Provider,
  pageRequest,
  type QueryOf,
  type ResponseOf,
  SuccessEnvelope,
  scopeOf,
  success,
} from '@keyfront/protocol';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preParsingHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Caller, CallerScope, Guard, GuardedAccess } from '../auth/guard.ts';
import type { ClientConnection } from '../database/client-connection.ts';
import type { Database } from '../database/database.ts';
import { NonceRepeated } from '../database/request-nonce.ts';
import { systemScope } from '../database/scope.ts';
import type { RunInTransaction } from '../database/transaction.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { targetOf } from '../request-target.ts';
import { describeCaller, describeRequest } from '../security-log/record-rejection.ts';
import type { Actor, SecurityEventName } from '../security-log/security-event.ts';
import type { SecurityLog } from '../security-log/security-log.ts';
import { thenMaybe } from '../then-maybe.ts';
import {
  authenticateCallback,
  type CallbackSecrets,
  checkCallbackHeaders,
} from './callbacks/authenticate-callback.ts';
import { claimMessage } from './callbacks/callback-queries.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import {
  type FileResponse,
  prefersContent,
  prefersJson,
  sendFile,
  sendFileHeaders,
  sendStream,
  sendStreamHeaders,
} from './file-response.ts';
import {
  findIdempotencyKeyIssues,
  type IdempotentResponse,
  readIdempotencyKey,
  respondOnce,
} from './idempotency/idempotency.ts';
import type { ResponseCipher } from './idempotency/response-cipher.ts';
import type { BodyMemory } from './input/body-memory.ts';
import { compileInput, type Input } from './input/compile-input.ts';
import { hasBody, readUploads, setBodyOwner } from './input/request-body.ts';
import {
  type AddressedOperation,
  atAddress,
  linkToOperation,
  type OtherAddress,
  requireWithin,
  toRouteUrl,
} from './other-address.ts';
import { PageSizes } from './page-sizes.ts';
import type { ResponseCache } from './response-cache.ts';
import { serializePage } from './serialize-page.ts';
import { SocketConnection } from './socket-connection.ts';
import type { UnreadResponses } from './unread-responses.ts';
import { compileUrlPublisher } from './url-publisher.ts';

/** What a handler gets: the parts of the request as their schemas describe them, and the scope of the caller. */
export interface Call<Definition extends Operation> {
  readonly parameters: ParametersOf<Definition>;
  readonly query: QueryOf<Definition>;
  readonly body: BodyOf<Definition>;
  readonly scope: Definition['access'] extends 'public' | 'provider' ? undefined : CallerScope;
  /**
   * An authenticated POST runs in this transaction, which also stores its response for the `Idempotency-Key`, or the id of
   * the message of a provider.
   */
  readonly run: Definition extends { method: 'POST'; access: Exclude<Access, 'public'> }
    ? RunInTransaction
    : undefined;
}

type Handler<Definition extends Operation> = (
  call: Call<Definition>,
) => Promise<ResponseOf<Definition>> | ResponseOf<Definition>;

interface FileCall<Definition extends Operation> {
  readonly query: QueryOf<Definition>;
  readonly scope: CallerScope;
}

/** What the stream of an operation gets. */
export interface StreamCall<Definition extends Operation> extends FileCall<Definition> {
  readonly caller: Caller;
  readonly lastEventId: string | undefined;
}

interface RouteOptions<Definition extends Operation> {
  /** Makes the stream of an operation that has one. */
  readonly stream?: (call: StreamCall<Definition>) => AsyncGenerator<string>;
  /** Makes the file of an operation that has one. */
  readonly file?: (call: FileCall<Definition>) => FileResponse;
  /** Caches responses that are the same for every caller. */
  readonly cache?: ResponseCache;
  /** Runs after a change is committed and before the response is sent. */
  readonly after?: () => void | Promise<void>;
  /** The event of the security log that a success is. A change by an administrator is `admin.acted` by default. */
  readonly securityEvent?: SecurityEventName;
  /** Who has called a public operation, for its event. */
  readonly describeActor?: (body: BodyOf<Definition>) => Actor;
}

export interface BinderParts {
  readonly securityLog: SecurityLog;
  readonly guard: Guard;
  readonly limits: RateLimits;
  readonly database: Database;
  readonly responseCipher: ResponseCipher;
  readonly callbackSecrets: CallbackSecrets;
  readonly concurrencyLimits: ConcurrencyLimits;
  readonly unreadResponses: UnreadResponses;
  readonly bodyMemory: BodyMemory;
  /** Converts a URL of a response from the form that the database stores. The default changes nothing. */
  readonly publishUrl?: (url: string) => string;
  /** How long a client may take to accept a slice of a file; see file-response.ts. */
  readonly stallTimeoutMs: number;
  /** Other addresses of operations. The default is none. */
  readonly otherAddresses?: readonly OtherAddress[];
}

const jsonType = 'application/json; charset=utf-8';

/** Binds operations of the protocol to their handlers. */
export class OperationBinder {
  readonly #bound = new Set<string>();
  readonly #app: FastifyInstance;
  readonly #parts: BinderParts;
  readonly #pageSizes = new PageSizes();

  constructor(app: FastifyInstance, parts: BinderParts) {
    this.#app = app;
    this.#parts = parts;
  }

  /** Adds the route of one operation: authenticate, validate, handle, wrap in the envelope. */
  bind<const Definition extends Operation>(
    operation: Definition,
    handle: Handler<Definition>,
    options: RouteOptions<Definition> = {},
  ): void {
    this.#bound.add(operation.id);
    const { deprecated } = operation;
    const headers = deprecated && deprecationHeaders(deprecated);
    // The schemas prove what the handler's types say about the input, and the access what they say about the scope.
    const anyHandle = this.#withPublishedUrls(operation, handle as AnyHandler);
    const anyOptions = options as AnyRouteOptions;
    const sendHeaders: onRequestHookHandler | undefined =
      headers &&
      ((_request, reply, done) => {
        reply.headers(headers);
        done();
      });
    this.#addRoute(operation.path, operation, anyHandle, anyOptions, sendHeaders);
    for (const address of this.#parts.otherAddresses ?? []) {
      if (address.operation !== operation.id) continue;
      const addressed = atAddress(operation, address);
      const handleThere: AnyHandler = async (call) => {
        const data = await anyHandle(call);
        requireWithin(address, data, call.parameters as Record<string, string>);
        return data;
      };
      this.#addRoute(address.path, addressed, handleThere, anyOptions, linkToOperation(addressed));
    }
  }

  #addRoute(
    path: string,
    operation: AddressedOperation,
    handle: AnyHandler,
    options: AnyRouteOptions,
    onRequest?: onRequestHookHandler,
  ): void {
    const { method, status, response } = operation;
    this.#app.route({
      method,
      bodyLimit: bodyLimitOf(operation),
      url: toRouteUrl(path),
      // Fastify serialises by this schema, so a response contains only what the schema names.
      schema: { response: { [status]: SuccessEnvelope(status, response) } },
      ...(onRequest && { onRequest }),
      ...(method === 'GET' ? {} : { preParsing: this.#createBodyCheck(operation) }),
      handler: this.#createHandler(operation, handle, options),
    });
  }

  /**
   * Adds the route of an operation whose body is a file. It runs outside of any transaction, because work on a file takes long, and
   * knows no `Idempotency-Key`.
   */
  bindUpload<const Definition extends UploadOperation>(
    operation: Definition,
    handle: (file: Buffer) => Promise<ResponseOf<Definition>>,
  ): void {
    const { id, method, path, access, status, upload } = operation;
    const { guard, concurrencyLimits, bodyMemory } = this.#parts;
    this.#bound.add(id);
    const securityEvent = defaultEvent(operation);
    this.#app.register(async (app) => {
      readUploads(app, bodyMemory, upload.contentTypes);
      app.route({
        method,
        url: toRouteUrl(path),
        bodyLimit: upload.maxBytes,
        schema: { response: { [status]: SuccessEnvelope(status, operation.response) } },
        preParsing: this.#createBodyCheck(operation),
        handler: async (request, reply) => {
          const caller = await guard(request, reply, access);
          const file = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const connection = new SocketConnection(request.raw.socket);
          const { walletAddress } = caller.scope;
          const data = await concurrencyLimits.uploads.run(walletAddress, () => handle(file), connection);
          if (securityEvent) this.#recordEvent(securityEvent, request, describeCaller(caller));
          reply.code(status);
          return success(status, data);
        },
      });
    });
  }

  /** Throws if one of the operations has no handler. */
  verifyComplete(operations: readonly Operation[]): void {
    const missing = operations.filter(({ id }) => !this.#bound.has(id)).map(({ id }) => id);
    if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`);
  }

  /** Checks the headers before the body is read, and says whose memory the body takes. */
  #createBodyCheck(operation: Operation): preParsingHookHandler {
    const { guard } = this.#parts;
    const { access } = operation;
    if (!isGuarded(access)) return this.#createPublicBodyCheck(operation);
    return (request, reply, payload, done) => {
      if (!hasBody(request)) return done(null, payload);
      const readFor = (wallet: string | null) => {
        setBodyOwner(request, reply, wallet);
        done(null, payload);
      };
      if (!guard.checkHeaders) return readFor(null);
      try {
        const wallet = guard.checkHeaders(request, access);
        if (wallet instanceof Promise) wallet.then(readFor, done);
        else readFor(wallet);
      } catch (error) {
        done(error as Error);
      }
    };
  }

  /** Counts a public request for its rate limit, before its body is read. */
  #createPublicBodyCheck(operation: Operation): preParsingHookHandler {
    const { provider, rateLimit = 'address' } = operation;
    const { callbackSecrets, limits } = this.#parts;
    return async (request, reply, payload) => {
      reply.headers(await limits.take(rateLimit, request.ip));
      if (!hasBody(request)) return payload;
      if (provider) await checkCallbackHeaders(request, callbackSecrets[provider], limits);
      setBodyOwner(request, reply, null);
      return payload;
    };
  }

  #withPublishedUrls({ response }: Operation, handle: AnyHandler): AnyHandler {
    const { publishUrl } = this.#parts;
    const publish = publishUrl && compileUrlPublisher(response, publishUrl);
    return publish ? async (call) => publish(await handle(call)) : handle;
  }

  #createHandler(operation: Operation, handle: AnyHandler, options: AnyRouteOptions): RouteHandlerMethod {
    const { access, method, provider } = operation;
    if (provider) return this.#callbackHandler({ ...operation, provider }, handle, options);
    if (!isGuarded(access)) return this.#publicHandler(operation, handle, options);
    const guarded = { ...operation, access };
    if (method === 'POST') return this.#creatingHandler(guarded, handle, options);
    if (options.cache) return this.#cachedHandler(guarded, handle, options.cache);
    return this.#plainHandler(guarded, handle, options);
  }

  #publicHandler(
    operation: Operation,
    handle: AnyHandler,
    { securityEvent, describeActor }: AnyRouteOptions,
  ): RouteHandlerMethod {
    const { method, rateLimit = 'address', status } = operation;
    const { limits } = this.#parts;
    const readInput = compileInput(operation);
    return async (request, reply) => {
      // The others have been counted before their bodies were read.
      if (method === 'GET') reply.headers(await limits.take(rateLimit, request.ip));
      reply.code(status);
      const input = readInput(request);
      const data = await handle(input);
      if (securityEvent) this.#recordEvent(securityEvent, request, describeActor?.(input.body) ?? {});
      return success(status, data);
    };
  }

  /** Handles the report of a provider in one transaction, which also records the id of its message. */
  #callbackHandler(
    operation: Operation & { readonly provider: Provider },
    handle: AnyHandler,
    { after }: AnyRouteOptions,
  ): RouteHandlerMethod {
    const { provider, status } = operation;
    const { limits, database, callbackSecrets } = this.#parts;
    const readInput = compileInput(operation);
    return async (request, reply) => {
      const messageId = await authenticateCallback(request, callbackSecrets[provider], limits);
      const input = readInput(request);
      const data = await database.transaction(systemScope, async (run) => {
        if (!(await claimMessage(run, provider, messageId))) throw new ApiError('CALLBACK_REPEATED');
        return handle({ ...input, run });
      });
      await after?.();
      this.#recordEvent('provider.reported', request, { provider });
      reply.code(status);
      return success(status, data);
    };
  }

  #creatingHandler(
    operation: GuardedOperation,
    handle: AnyHandler,
    { after, securityEvent = defaultEvent(operation) }: AnyRouteOptions,
  ): RouteHandlerMethod {
    const { concurrencyLimits } = this.#parts;
    const authenticate = this.#createAuthentication(operation);
    const readInput = compileInput(operation, findIdempotencyKeyIssues);
    return async (request, reply) => {
      const caller = await authenticate(request, reply);
      const input = readInput(request);
      const create = () => this.#create(operation, handle, { request, reply, caller, input });
      const work = () => this.#refuseRepeats(request, operation.access, caller.scope, create);
      const connection = new SocketConnection(request.raw.socket);
      const { walletAddress } = caller.scope;
      const response = await concurrencyLimits.requests.run(walletAddress, work, connection, costOfResponse);
      await after?.();
      if (response.isReplayed) reply.header('idempotent-replayed', 'true');
      else if (securityEvent)
        this.#recordEvent(securityEvent, request, describeCaller(caller), readId(response.body));
      return reply.code(response.statusCode).type(jsonType).send(response.body);
    };
  }

  #cachedHandler(operation: GuardedOperation, handle: AnyHandler, cache: ResponseCache): RouteHandlerMethod {
    const { id, status } = operation;
    const authenticate = this.#createAuthentication(operation);
    const readInput = compileInput(operation);
    return (request, reply) =>
      thenMaybe(authenticate(request, reply), () => {
        reply.type(jsonType);
        const { url } = targetOf(request);
        const cached = cache.find(url);
        if (cached) return reply.send(cached);
        const input = readInput(request);
        const name = `${id} ${JSON.stringify([input.parameters, input.query])}`;
        const create = async () => serialise(reply, status, await handle(input));
        return cache.getOrCreate(url, name, create).then((body) => reply.send(body));
      });
  }

  #plainHandler(
    operation: GuardedOperation,
    handle: AnyHandler,
    options: AnyRouteOptions,
  ): RouteHandlerMethod {
    const { access, method, status, file, stream } = operation;
    const { unreadResponses } = this.#parts;
    const authenticate = this.#createAuthentication(operation);
    const { securityEvent = defaultEvent(operation) } = options;
    const readInput = compileInput(operation);
    const isPaged = Object.hasOwn(operation.query?.properties ?? {}, 'take');
    return async (request, reply) => {
      const caller = await authenticate(request, reply);
      const connection = new SocketConnection(request.raw.socket);
      // A read is cancelled when the client disconnects. A change is completed.
      const scope = method === 'GET' ? cancelledWith(connection, caller.scope) : caller.scope;
      if (file && options.file) {
        reply.header('vary', 'accept');
        if (prefersContent(request.headers.accept, file.contentType)) {
          const response = options.file(callOf(readInput(request), scope));
          return this.#sendFile(reply, response, caller, connection);
        }
      }
      if (stream && options.stream) {
        reply.header('vary', 'accept');
        if (!prefersJson(request.headers.accept, stream.contentType)) {
          const chunks = options.stream({
            ...callOf(readInput(request), scope),
            caller,
            lastEventId: readLastEventId(request),
          });
          return this.#sendStream(reply, stream.contentType, chunks, caller, connection);
        }
      }
      const input = readInput(request);
      unreadResponses.check(scope.walletAddress);
      const read: Read = {
        // The response is serialized in its place, too: for a large one that takes longer than anything else.
        work: async () => {
          const change = async () => handle(callOf(input, scope));
          const data = await (method === 'GET'
            ? change()
            : this.#refuseRepeats(request, access, scope, change));
          const serialize = (part: unknown) => serialise(reply, status, part);
          return isPaged ? serializePage(data as object, serialize) : serialize(data);
        },
        // All credentials of a wallet share its places.
        walletAddress: scope.walletAddress,
        connection,
      };
      const body = await (isPaged ? this.#readPage(operation.id, input, read) : this.#readOne(read));
      await options.after?.();
      if (securityEvent) {
        // The schema of the operation has checked that it is an id.
        const [subject] = Object.values(request.params as Record<string, string>);
        this.#recordEvent(securityEvent, request, describeCaller(caller), subject);
      }
      unreadResponses.add(scope.walletAddress, body.length, reply.raw);
      return reply.code(status).type(jsonType).send(body);
    };
  }

  /** Returns a function that authenticates the caller of an operation, and throws the 403 if an API key lacks its scope. */
  #createAuthentication(operation: GuardedOperation) {
    const { guard } = this.#parts;
    const { access } = operation;
    const scope = scopeOf(operation);
    return (request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> =>
      thenMaybe(guard(request, reply, access), (caller) => {
        if (scope !== null && caller.keyScopes && !caller.keyScopes.has(scope)) throw scopeMissing(scope);
        return caller;
      });
  }

  /** Runs a change once: with a bound signature, its nonce is stored with the change, and a repeated one is the 401. */
  async #refuseRepeats<Result>(
    request: FastifyRequest,
    access: GuardedAccess,
    scope: CallerScope,
    change: () => Promise<Result>,
  ): Promise<Result> {
    const { guard, database } = this.#parts;
    if (scope.role !== 'holder' || !scope.nonce) return change();
    try {
      const result = await change();
      // A change without a transaction of its own, such as the stored response to an `Idempotency-Key`.
      if (scope.nonce.isFree) await database.transaction(scope, async () => undefined);
      return result;
    } catch (error) {
      if (error instanceof NonceRepeated && guard.rejectRepeated)
        return guard.rejectRepeated(request, access);
      throw error;
    }
  }

  #readOne({ walletAddress, work, connection }: Read): Promise<string | Buffer> {
    return this.#parts.concurrencyLimits.requests.run(walletAddress, work, connection, costOfBody);
  }

  async #readPage(
    id: string,
    input: Input,
    { walletAddress, work, connection }: Read,
  ): Promise<string | Buffer> {
    const { searches, largePages, requests } = this.#parts.concurrencyLimits;
    const { take } = pageRequest(input.query as PageQuery);
    const list = `${id} ${walletAddress}`;
    const others = this.#pageSizes.isLarge(list, take) ? largePages : requests;
    const limiter = isSearch(input) ? searches : others;
    const body = await limiter.run(walletAddress, work, connection, costOfBody);
    this.#pageSizes.record(list, take, body.length);
    return body;
  }

  /** Records a successful operation in the security log. */
  #recordEvent(event: SecurityEventName, request: FastifyRequest, actor: Actor, subject?: string): void {
    const described = { ...describeRequest(event, request), ...actor };
    this.#parts.securityLog.record(subject === undefined ? described : { ...described, subject });
  }

  /** Sends a file. Its place is taken until the client has read it, or has stopped reading. */
  async #sendFile(
    reply: FastifyReply,
    file: FileResponse,
    caller: Caller,
    connection: ClientConnection,
  ): Promise<FastifyReply> {
    if (reply.request.method === 'HEAD') return sendFileHeaders(reply, file);
    const { concurrencyLimits, stallTimeoutMs } = this.#parts;
    const { role, walletAddress } = caller.scope;
    const limiter = role === 'holder' ? concurrencyLimits.exports : concurrencyLimits.platformExports;
    await limiter.admit(walletAddress, connection);
    return sendFile(reply, file, { stallTimeoutMs, onEnd: () => limiter.release(walletAddress) });
  }

  /** Sends a stream. Its place is taken until it ends. */
  async #sendStream(
    reply: FastifyReply,
    contentType: string,
    chunks: AsyncGenerator<string>,
    caller: Caller,
    connection: ClientConnection,
  ): Promise<FastifyReply> {
    if (reply.request.method === 'HEAD') return sendStreamHeaders(reply, contentType);
    const { concurrencyLimits, stallTimeoutMs } = this.#parts;
    const { streams } = concurrencyLimits;
    const { walletAddress } = caller.scope;
    await streams.admit(walletAddress, connection);
    return sendStream(reply, contentType, chunks, {
      stallTimeoutMs,
      onEnd: () => streams.release(walletAddress),
    });
  }

  /** Handles a POST in one transaction, which also stores its response if the caller sent an `Idempotency-Key`. */
  async #create(
    { status, responseIsSecret }: Operation,
    handle: AnyHandler,
    { request, reply, caller, input }: CreatingRequest,
  ): Promise<IdempotentResponse> {
    const { scope } = caller;
    const { database, responseCipher } = this.#parts;
    const key = readIdempotencyKey(request);
    const work = async (run: RunInTransaction) => ({
      statusCode: status,
      body: Buffer.from(serialise(reply, status, await handle(callOf(input, scope, run)))),
    });
    if (key === null) return { ...(await database.transaction(scope, work)), isReplayed: false };
    const cipher = responseIsSecret ? responseCipher : null;
    const { method, body } = request;
    const { url } = targetOf(request);
    return respondOnce(database, { request: { method, url, body }, caller, key, cipher }, work);
  }
}

function scopeMissing(scope: string): ApiError {
  return new ApiError('SCOPE_MISSING', { message: `The API key lacks the scope ${scope}` });
}

type GuardedOperation = Operation & { readonly access: GuardedAccess };
/** Only a JWT authenticates a file: the signature of a request covers JSON. */
type UploadOperation = Operation & {
  readonly access: 'jwt' | 'administrator';
  readonly upload: NonNullable<Operation['upload']>;
};
type AnyHandler = (call: Input & { scope?: CallerScope; run?: RunInTransaction | undefined }) => unknown;
interface AnyRouteOptions {
  readonly stream?: (
    call: Input & { scope: CallerScope; caller: Caller; lastEventId: string | undefined },
  ) => AsyncGenerator<string>;
  readonly file?: (call: Input & { scope: CallerScope }) => FileResponse;
  readonly cache?: ResponseCache;
  readonly after?: () => void | Promise<void>;
  readonly securityEvent?: SecurityEventName;
  readonly describeActor?: (body: unknown) => Actor;
}
interface CreatingRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly input: Input;
}

/** The work of a request that takes a place of its wallet. It returns the body of the response. */
interface Read {
  readonly walletAddress: string;
  readonly work: () => Promise<string | Buffer>;
  readonly connection: ClientConnection;
}

type PageQuery = Parameters<typeof pageRequest>[0];

/** What the smallest request costs, in the same unit as a response: its length. */
const leastCost = 4_096;

function costOfBody(body: string | Buffer): number {
  return leastCost + body.length;
}

function costOfResponse({ body }: IdempotentResponse): number {
  return leastCost + body.length;
}

function readLastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  // Browsers send an empty one before the first event.
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function isSearch({ query }: Input): boolean {
  return Boolean((query as { readonly search?: string } | undefined)?.search);
}

function defaultEvent({ access, method }: Operation): SecurityEventName | undefined {
  return access === 'administrator' && method !== 'GET' ? 'admin.acted' : undefined;
}

/** The id of what was created. The response was serialized in the transaction, so it is read from its text. */
function readId(body: Buffer): string | undefined {
  const { data } = JSON.parse(body.toString()) as { data?: { id?: string } | null };
  return data?.id;
}

/** Serialises a success by the schema of the route. */
function serialise(reply: FastifyReply, status: number, data: unknown): string {
  return String(reply.serializeInput({ ...success(status, data) }, String(status)));
}

/** Lists the fields, here and below: V8 makes slow objects of `{ ...spread, added }`, and this runs for every request. */
function callOf({ parameters, query, body }: Input, scope: CallerScope, run?: RunInTransaction) {
  return { parameters, query, body, scope, run };
}

function cancelledWith(connection: ClientConnection, scope: CallerScope): CallerScope {
  const { role, walletAddress } = scope;
  if (role === 'administrator') return { role, walletAddress, clientConnection: connection };
  const { holderId, tokenId } = scope;
  return { role, holderId, tokenId, walletAddress, clientConnection: connection };
}
