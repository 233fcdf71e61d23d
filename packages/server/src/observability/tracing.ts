import { observeCalls } from '@keyfront/evm';
import { observeQueries } from '@keyfront/postgres';

/** Where traces are sent, and how many. */
export interface TracingConfig {
  /** The base URL of a receiver of OTLP over HTTP. */
  readonly endpoint: string;
  /** Sent with each batch, for example with a token of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  /** Describes this service to the receiver. Contains `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** The share of requests that are traced, from 0 to 1. */
  readonly sampleRatio: number;
}

/** Values of a span. Never personal data, credentials or anything that a caller has sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'client' | 'producer';
  readonly attributes?: SpanAttributes;
}

export interface RunningSpan {
  setAttributes(attributes: SpanAttributes): void;
}

/** The span of one request to the service. */
export interface RequestSpan {
  /** Runs a function inside of the trace, so that further spans belong to it. */
  enter(run: () => void): void;
  end(outcome: { readonly name: string; readonly status: number; readonly attributes: SpanAttributes }): void;
}

/** Records what the service does, and how long it takes. */
export interface Tracing {
  /** Begins the span of a request. It continues the trace of its `traceparent`. */
  beginRequest(headers: Readonly<Record<string, string | string[] | undefined>>): RequestSpan;
  /** Begins the span of a query, and returns a function that ends it. Null outside of a trace. */
  beginQuery(name: string, text: string): ((error: unknown) => void) | null;
  /** Runs the work inside of a span, which ends with it. Outside of a trace it begins one. */
  run<Result>(start: SpanStart, work: (span: RunningSpan) => Promise<Result>): Promise<Result>;
  /** The headers with which another server continues the current trace. */
  outgoingHeaders(): Readonly<Record<string, string>>;
  /** The id of the current trace, for log lines. Null outside of a trace. */
  currentTraceId(): string | null;
  /** Sends what is recorded. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

let current: Tracing | null = null;

/**
 * Returns where to record, or null if traces are off. It is one for the process, not a parameter: the database, the
 * chain and the deliveries all use it, and a process has one receiver of traces.
 */
export function getTracing(): Tracing | null {
  return current;
}

export function setTracing(tracing: Tracing | null): void {
  current = tracing;
  observeQueries(tracing && ((name, text) => tracing.beginQuery(name, text)));
  observeCalls(
    tracing &&
      ((method, send) => {
        const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method };
        return tracing.run({ name: method, kind: 'client', attributes }, () =>
          send(tracing.outgoingHeaders()),
        );
      }),
  );
}

const noSpan: RunningSpan = { setAttributes: () => undefined };

/** Runs the work inside of a span if traces are on. */
export function trace<Result>(
  start: SpanStart,
  work: (span: RunningSpan) => Promise<Result>,
): Promise<Result> {
  return current ? current.run(start, work) : work(noSpan);
}
