import {
  bodyLimitOf,
  isGuarded,
  type Operation,
  type ResponseOf,
  SuccessEnvelope,
  success,
} from '@keyfront/protocol';
import type { FastifyInstance, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import { SocketConnection } from '../lib/request/socket-connection.ts';
import {
  type AliasedOperation,
  atAlias,
  deprecationHeaders,
  linkToOperation,
  requireWithin,
  toRouteUrl,
} from './aliases/route-alias.ts';
import { createBodyCheck } from './check-body.ts';
import { createCachedHandler } from './handlers/cached-handler.ts';
import type { AnyHandler, AnyRouteOptions, Handler, RouteOptions } from './handlers/call.ts';
import { createCallbackHandler } from './handlers/callback-handler.ts';
import { createChangeHandler } from './handlers/change-handler.ts';
import { createFileHandler } from './handlers/file-handler.ts';
import { createPageHandler } from './handlers/page-handler.ts';
import type { PipelineDependencies } from './handlers/pipeline-dependencies.ts';
import { createPostHandler } from './handlers/post-handler.ts';
import { createPublicHandler } from './handlers/public-handler.ts';
import { createReadHandler } from './handlers/read-handler.ts';
import { requireHolder } from './handlers/require-holder.ts';
import { defaultEvent, describeCaller, recordSuccess } from './handlers/security-events.ts';
import { createStreamHandler } from './handlers/stream-handler.ts';
import { requireContentType } from './input/request-body.ts';
import { compileUrlPublisher } from './responses/url-publisher.ts';

/** Only a JWT authenticates a file: the signature of a request covers JSON. */
type UploadOperation = Operation & {
  readonly access: 'jwt' | 'administrator';
  readonly upload: NonNullable<Operation['upload']>;
};

/** Adds the routes of operations. */
export class OperationRouter {
  readonly #added = new Set<string>();
  readonly #app: FastifyInstance;
  readonly #dependencies: PipelineDependencies;

  constructor(app: FastifyInstance, dependencies: PipelineDependencies) {
    this.#app = app;
    this.#dependencies = dependencies;
  }

  /** Adds the route of one operation: authenticate, validate, handle, wrap in the envelope. */
  add<const Definition extends Operation>(
    operation: Definition,
    handle: Handler<Definition>,
    options: RouteOptions<Definition> = {},
  ): void {
    this.#added.add(operation.id);
    const { deprecated } = operation;
    const headers = deprecated && deprecationHeaders(deprecated);
    // The schemas prove what the handler's types say about the input, and access and errors what they say about the scope.
    const anyHandle = this.#withPublishedUrls(operation, requireHolder(operation, handle as AnyHandler));
    const { stream, requireQueryInPath, ...others } = options as unknown as AnyRouteOptions;
    const anyOptions: AnyRouteOptions = {
      ...others,
      ...(stream && { stream: requireHolder(operation, stream) }),
      ...(requireQueryInPath && { requireQueryInPath: requireHolder(operation, requireQueryInPath) }),
    };
    const sendHeaders: onRequestHookHandler | undefined =
      headers &&
      ((_request, reply, done) => {
        reply.headers(headers);
        done();
      });
    this.#addRoute(operation.path, operation, anyHandle, anyOptions, sendHeaders);
    for (const address of this.#dependencies.routeAliases ?? []) {
      if (address.operation !== operation.id) continue;
      const addressed = atAlias(operation, address);
      const handleThere: AnyHandler = async (call) => {
        if (addressed.queryInPath?.length) await anyOptions.requireQueryInPath?.(call);
        const data = await anyHandle(call);
        requireWithin(address, data, call.parameters as Record<string, string>);
        return data;
      };
      this.#addRoute(address.path, addressed, handleThere, anyOptions, linkToOperation(addressed));
    }
  }

  #addRoute(
    path: string,
    operation: AliasedOperation,
    handle: AnyHandler,
    options: AnyRouteOptions,
    onRequest?: onRequestHookHandler,
  ): void {
    const { method, status, response } = operation;
    this.#app.route({
      method,
      bodyLimit: bodyLimitOf(operation),
      url: toRouteUrl(path),
      // Fastify serializes by this schema, so a response contains only what the schema names.
      schema: { response: { [status]: SuccessEnvelope(status, response) } },
      ...(onRequest && { onRequest }),
      ...(method === 'GET' ? {} : { preParsing: createBodyCheck(operation, this.#dependencies) }),
      handler: this.#createHandler(operation, handle, options),
    });
  }

  /**
   * Adds the route of an operation whose body is a file. It runs outside of any transaction, because work on a file takes long, and
   * knows no `Idempotency-Key`.
   */
  addUpload<const Definition extends UploadOperation>(
    operation: Definition,
    handle: (file: Buffer) => Promise<ResponseOf<Definition>>,
  ): void {
    const { id, method, path, access, status, upload } = operation;
    const { guard, concurrencyLimits, securityLog } = this.#dependencies;
    this.#added.add(id);
    const securityEvent = defaultEvent(operation);
    this.#app.route({
      method,
      url: toRouteUrl(path),
      bodyLimit: bodyLimitOf(operation),
      schema: { response: { [status]: SuccessEnvelope(status, operation.response) } },
      preParsing: createBodyCheck(operation, this.#dependencies),
      handler: async (request, reply) => {
        const caller = await guard(request, reply, access);
        requireContentType(request, upload.contentTypes);
        const file = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const connection = new SocketConnection(request.raw.socket);
        const { walletAddress } = caller.scope;
        const data = await concurrencyLimits.uploads.run(walletAddress, () => handle(file), connection);
        if (securityEvent) recordSuccess(securityLog, securityEvent, request, describeCaller(caller));
        reply.code(status);
        return success(status, data);
      },
    });
  }

  /** Throws if one of the operations has no handler. */
  verifyComplete(operations: readonly Operation[]): void {
    const missing = operations.filter(({ id }) => !this.#added.has(id)).map(({ id }) => id);
    if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`);
  }

  #withPublishedUrls({ response }: Operation, handle: AnyHandler): AnyHandler {
    const { publishUrl } = this.#dependencies;
    const publish = publishUrl && compileUrlPublisher(response, publishUrl);
    return publish ? async (call) => publish(await handle(call)) : handle;
  }

  #createHandler(operation: Operation, handle: AnyHandler, options: AnyRouteOptions): RouteHandlerMethod {
    const dependencies = this.#dependencies;
    const { access, method, provider } = operation;
    if (provider) return createCallbackHandler({ ...operation, provider }, handle, options, dependencies);
    if (!isGuarded(access)) return createPublicHandler(operation, handle, options, dependencies);
    const guarded = { ...operation, access };
    if (method === 'POST') return createPostHandler(guarded, handle, options, dependencies);
    if (options.cache) return createCachedHandler(guarded, handle, options.cache, dependencies);
    if (method !== 'GET') return createChangeHandler(guarded, handle, options, dependencies);
    const { file, page, stream } = operation;
    if (page) return createPageHandler(guarded, handle, options, dependencies);
    if (file && options.file) {
      const form = { ...file, makeFile: options.file };
      return createFileHandler(guarded, handle, options, dependencies, form);
    }
    if (stream && options.stream) {
      const form = { ...stream, makeStream: options.stream };
      return createStreamHandler(guarded, handle, options, dependencies, form);
    }
    return createReadHandler(guarded, handle, options, dependencies);
  }
}
