import type { CallOptions } from './call-options.ts';
import { PageList } from './paging/page-list.ts';
import { fillPath } from './requests/fill-path.ts';
import type { OperationRoute } from './requests/operation-route.ts';
import type { Query } from './requests/query.ts';
import { readFileStream } from './requests/read-file-stream.ts';
import type { ServerSentEvent } from './requests/server-sent-events.ts';
import type { Transport } from './requests/transport.ts';

/** The input of an operation. */
export interface OperationInput {
  /** Values of the path parameters, in the order of the path. */
  readonly parameters?: readonly string[];
  readonly body?: object;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** Calls operations of the generated table. */
export class OperationClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Calls an operation and returns the `data` of its response. */
  async call<Data>(route: OperationRoute, input: OperationInput, options?: CallOptions): Promise<Data> {
    return this.#transport.send<Data>({ ...options, ...prepare(route, input) });
  }

  /** Calls an operation whose response has a list in `field`. Sends nothing before the list is awaited or iterated. */
  list<Page extends object, Item>(
    route: OperationRoute,
    field: keyof Page & string,
    input: OperationInput,
    options?: CallOptions,
  ): PageList<Page, Item> {
    const { query } = input;
    return new PageList(
      (position) =>
        this.call<Page>(route, query ? { ...input, query: { ...query, ...position } } : input, options),
      field,
      query,
      options?.signal,
    );
  }

  /** Calls an operation that returns a page for people, and returns its HTML. */
  async page(route: OperationRoute, input: OperationInput, options?: CallOptions): Promise<string> {
    return new Response(this.stream(route, input, 'text/html', options)).text();
  }

  /** Calls an operation that returns a stream of events, and follows it across interruptions. */
  async *follow(
    route: OperationRoute,
    input: OperationInput,
    options?: CallOptions,
  ): AsyncGenerator<ServerSentEvent, void, undefined> {
    // Loaded on demand: few pages follow a stream.
    const { followEventStream } = await import('./requests/follow-event-stream.ts');
    yield* followEventStream(this.#transport, { ...options, ...prepare(route, input) });
  }

  /** Calls an operation that returns a file, and streams it. Sends nothing before the stream is read. */
  stream(
    route: OperationRoute,
    input: OperationInput,
    contentType: string,
    options?: CallOptions,
  ): ReadableStream<Uint8Array> {
    const headers = { ...options?.headers, accept: contentType };
    return readFileStream(this.#transport, { ...options, headers, ...prepare(route, input) }, contentType);
  }
}

function prepare(route: OperationRoute, { parameters, query, body }: OperationInput) {
  const { method, path, retry, contentType, isPublic } = route;
  if (method !== 'GET' && query) rejectEmptyValues(query);
  const target = { method, path: fillPath(path, parameters), query: query satisfies Query | undefined };
  return { ...target, body, contentType, retry, isPublic };
}

/**
 * An empty parameter selects what to change or delete: left out, it selects more. An id that is empty by mistake must
 * not, for example, empty a whole cart.
 */
function rejectEmptyValues(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${name} must not be empty`);
  }
}
