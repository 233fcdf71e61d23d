import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { getTracing } from './tracing.ts';

/** The host of an address has no slash, unlike `node_modules/@scope/package/file.js` in a stack trace. */
const emailPattern = /[^\s"'<>()@,;:\\]+@[^\s"'<>()@,;:\\/]+\.[^\s"'<>()@,;:\\/]+/g;

/** Creates the logger of the service. It writes JSON lines, without credentials and e-mail addresses. */
export function createLogger(level: string, destination: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: formatTimeField,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    mixin: () => {
      const id = getTracing()?.currentTraceId();
      return id ? { trace_id: id } : {};
    },
    redact: {
      paths: [
        ...['headers.authorization', 'headers.cookie'],
        ...['headers["x-auth-apikey"]', 'headers["x-auth-signature"]'],
        ...['secretKey', 'privateKey', 'walletPrivateKey', 'password', 'token', 'signature'],
      ].flatMap((path) => [path, `*.${path}`]),
      censor: '[redacted]',
    },
    // Fields are redacted by name. A message that quotes an address can only be redacted in the finished line.
    hooks: { streamWrite: (line) => (line.includes('@') ? line.replaceAll(emailPattern, '[e-mail]') : line) },
  };
  return pino(options, destination);
}

/** What is logged for a request. Nothing in it is secret, and nothing from the caller is unchecked. */
export interface RequestLine {
  readonly reqId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** IP address of the caller. */
  readonly address: string;
  /** The id of an API key, the wallet of a token, or empty for a request that was not authenticated. */
  readonly caller: string;
  /** Absent if traces are off. */
  readonly traceId?: string | undefined;
}

/**
 * Creates a function that writes the log lines of requests, exactly as the logger would. They are composed by hand, because
 * there is one for each request, and pino's search for fields to redact takes longer than the line itself.
 */
export function createRequestLineWriter(
  logger: FastifyBaseLogger,
  level: 'info' | 'debug' = 'info',
): (line: RequestLine) => void {
  const { values } = pino.levels;
  const isEnabled = (values[logger.level] ?? Number.POSITIVE_INFINITY) <= (values[level] ?? 0);
  const stream: unknown = Reflect.get(logger, pino.symbols.streamSym);
  if (!isEnabled || !isWritable(stream)) return () => undefined;
  const start = `{"level":"${level}"`;
  const { pid } = process;
  return ({ reqId, method, route, status, durationMs, address, caller, traceId }) => {
    const trace = traceId === undefined ? '' : `"trace_id":"${traceId}",`;
    const request = `"reqId":"${reqId}","method":"${method}","route":"${route}"`;
    stream.write(
      `${start}${formatTimeField()},"pid":${pid},${trace}${request},"status":${status},"durationMs":${durationMs},"address":"${address}","caller":"${caller}","msg":"request"}\n`,
    );
  };
}

function isWritable(stream: unknown): stream is pino.DestinationStream {
  return (
    typeof stream === 'object' && stream !== null && 'write' in stream && typeof stream.write === 'function'
  );
}

let lastSecond = 0;
let lastText = '';

/** Formats the field `time`. Most lines are of the same second as the one before, whose text is reused. */
function formatTimeField(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `,"time":"${new Date(second * 1000).toISOString().slice(0, 20)}`;
  }
  return `${lastText}${String(now % 1000).padStart(3, '0')}Z"`;
}

/** Describes an error without the fields in which PostgreSQL quotes rows. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
