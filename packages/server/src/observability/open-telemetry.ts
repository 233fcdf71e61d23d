import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Tracing, TracingConfig } from './tracing.ts';

interface TracingOptions extends TracingConfig {
  /** Called when spans could not be sent. They are lost. */
  readonly onFailure: (error: unknown) => void;
  /** Bounds the time that an unreachable receiver delays the end of the process. */
  readonly exportTimeoutMs?: number;
}

const defaultExportTimeoutMs = 3_000;

/**
 * Records traces with OpenTelemetry and sends them by OTLP over HTTP. Loaded only where traces are on: it takes longer
 * to load than the service does.
 */
export function startTracing(options: TracingOptions): Tracing {
  const { endpoint, headers, resource, sampleRatio, onFailure } = options;
  const ratio = new TraceIdRatioBasedSampler(sampleRatio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: options.exportTimeoutMs ?? defaultExportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource }),
    // A caller who wants traces does not decide how many there are.
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: {
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              if (result.code !== ExportResultCode.SUCCESS) onFailure(result.error);
              done(result);
            }),
          shutdown: () => exporter.shutdown(),
        },
      }),
    ],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const tracer = provider.getTracer('keyfront');
  const propagator = new W3CTraceContextPropagator();
  const spanOf = (of: Context): Span | undefined => trace.getSpan(of);
  context.setGlobalContextManager(contexts);
  return {
    beginRequest: (received) => {
      const parent = propagator.extract(ROOT_CONTEXT, received, {
        get: (carrier, name) => carrier[name],
        keys: (carrier) => Object.keys(carrier),
      });
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      const inside = trace.setSpan(parent, span);
      return {
        enter: (run) => contexts.with(inside, run),
        end: ({ name, status, attributes }) => {
          span.updateName(name);
          span.setAttributes({ ...attributes, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    beginQuery: (name, text) => {
      const active = contexts.active();
      // Jobs query the database all the time. Only what somebody waits for is of interest.
      if (!spanOf(active)?.isRecording()) return null;
      const span = tracer.startSpan(
        name === '' ? 'query' : name,
        {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name, 'db.query.text': text },
        },
        active,
      );
      return (error) => {
        if (error) noteError(span, error);
        span.end();
      };
    },
    run: async ({ name, kind, attributes = {} }, work) => {
      const active = contexts.active();
      const spanKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.PRODUCER;
      const span = tracer.startSpan(name, { kind: spanKind, attributes }, active);
      try {
        return await contexts.with(trace.setSpan(active, span), () =>
          work({ setAttributes: (values) => void span.setAttributes(values) }),
        );
      } catch (error) {
        noteError(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    outgoingHeaders: () => {
      const span = spanOf(contexts.active());
      if (!span) return {};
      const { traceId, spanId, traceFlags } = span.spanContext();
      // Without `tracestate`: what a caller has sent is not for others.
      return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
    },
    currentTraceId: () => spanOf(contexts.active())?.spanContext().traceId ?? null,
    flush: () => provider.forceFlush(),
    close: async () => {
      await provider.shutdown().catch(onFailure);
      contexts.disable();
      context.disable();
    },
  };
}

/** The kind of the error only: messages may quote data. */
function noteError(span: Span, error: unknown): void {
  span.setAttributes({ 'error.type': error instanceof Error ? error.name : 'unknown' });
  span.setStatus({ code: SpanStatusCode.ERROR });
}
