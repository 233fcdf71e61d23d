import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { openStdout } from './log-output.ts';

const emailPattern = /[^\s"'<>()@,;:\\]+@[^\s"'<>()@,;:\\]+\.[^\s"'<>()@,;:\\]+/g;

/** The log of the service: JSON lines, in which no credential and no e-mail address ever stands. */
export function createLogger(level: string, destination: pino.DestinationStream = openStdout()): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: writeTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: [
        'headers.authorization',
        'headers.cookie',
        'headers["x-auth-apikey"]',
        'headers["x-auth-signature"]',
        '*.headers.authorization',
        '*.headers.cookie',
        '*.headers["x-auth-apikey"]',
        '*.headers["x-auth-signature"]',
        ...['secretKey', 'privateKey', 'walletPrivateKey', 'password', 'token', 'signature'].flatMap(
          (name) => [name, `*.${name}`],
        ),
      ],
      censor: '[redacted]',
    },
    // Fields can be redacted by name; a sentence that quotes an address can only be caught in the finished line.
    hooks: { streamWrite: (line) => (line.includes('@') ? line.replaceAll(emailPattern, '[e-mail]') : line) },
  };
  return pino(options, destination);
}

/** What is told of a request. None of it comes from the caller unchecked, and none of it could be secret. */
export interface RequestLine {
  readonly reqId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * Writes lines of requests as the logger would. By hand, since there is one for each request: a logger looks through
 * what it is given, and that takes longer than to write it.
 */
export function requestLineWriter(logger: FastifyBaseLogger): (line: RequestLine) => void {
  const { values } = pino.levels;
  const isWanted = (values[logger.level] ?? Number.POSITIVE_INFINITY) <= (values.info ?? 0);
  const stream: unknown = Reflect.get(logger, pino.symbols.streamSym);
  if (!isWanted || !isWritable(stream)) return () => undefined;
  const start = `{"level":"info"`;
  const { pid } = process;
  return ({ reqId, method, route, status, durationMs }) => {
    const request = `"reqId":"${reqId}","method":"${method}","route":"${route}"`;
    stream.write(
      `${start}${writeTime()},"pid":${pid},${request},"status":${status},"durationMs":${durationMs},"msg":"request"}\n`,
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

/** The field of the time. Most lines are of the same second as the one before, whose text is at hand. */
function writeTime(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `,"time":"${new Date(second * 1000).toISOString().slice(0, 20)}`;
  }
  return `${lastText}${String(now % 1000).padStart(3, '0')}Z"`;
}

/** An error without the fields in which PostgreSQL repeats the data of a row. */
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
