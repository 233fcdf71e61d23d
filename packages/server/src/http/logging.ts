import pino from 'pino';
import { openStdout } from './stdout.ts';

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
