import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** A line of the log, as the server's logger writes it. Other fields follow these. */
interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: LoggedError;
  readonly reqId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly [field: string]: unknown;
}

interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const levelStyles: Readonly<Record<string, Style>> = {
  fatal: ['bold', 'red'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'blue',
  trace: 'gray',
};
const indent = ' '.repeat('00:00:00.000 error '.length);

/**
 * Returns a function that formats a finished JSON line for people. Redaction has happened by then, and the JSON format
 * costs nothing extra.
 */
export function createTerminalFormat(hasColors: boolean): (line: string) => string {
  const paint: Paint = hasColors
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
  return (line) => formatLine(line, paint);
}

function formatLine(text: string, paint: Paint): string {
  let line: LogLine;
  try {
    line = JSON.parse(text);
  } catch {
    return `${escapeControls(text.trimEnd())}\n`;
  }
  const { level, time, pid: _pid, msg = '', err, ...rest } = line;
  const start = `${paint('gray', formatTime(time))} ${paint(levelStyles[level] ?? 'reset', level.padEnd(5))}`;
  const isRequest = rest.method !== undefined && rest.route !== undefined && rest.status !== undefined;
  const content = isRequest ? formatRequest(rest, paint) : formatMessage(msg, rest, paint);
  return `${start} ${content}\n${err ? formatError(err, level === 'error' || level === 'fatal', paint) : ''}`;
}

/** The local time of day. A terminal shows what happens now, so the date is left out. */
function formatTime(time: string): string {
  const date = new Date(time);
  const digits = (value: number, length = 2) => String(value).padStart(length, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => digits(value));
  return `${clock.join(':')}.${digits(date.getMilliseconds(), 3)}`;
}

function formatRequest(
  { method = '', route = '', status = 0, durationMs = 0, reqId = '' }: Partial<LogLine>,
  paint: Paint,
): string {
  const style = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const parts = [
    paint('bold', escapeControls(method).padEnd(6)),
    paint(style, String(status)),
    paint('gray', `${durationMs.toFixed(1)} ms`.padStart(9)),
    escapeControls(route),
  ];
  // For a request that failed, the id leads to other lines and to the caller's x-request-id.
  if (status >= 400) parts.push(paint('gray', escapeControls(reqId)));
  return parts.join(' ');
}

function formatMessage(message: string, fields: Readonly<Record<string, unknown>>, paint: Paint): string {
  const entries = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = escapeControls(message);
  return entries.length === 0 ? text : `${text}${paint('gray', escapeControls(entries.join('')))}`;
}

/** A warning is about something expected, such as a lost connection, so its stack would only be in the way. */
function formatError(
  { type = 'Error', message = '', stack, cause }: LoggedError,
  hasStack: boolean,
  paint: Paint,
): string {
  const [first = '', ...frames] = (stack ?? `${type}: ${message}`).split('\n');
  const shownFrames = hasStack ? frames.map((frame) => paint('gray', escapeControls(frame))) : [];
  const text = [escapeControls(first), ...shownFrames].map((line) => `${indent}${line}\n`).join('');
  return cause ? `${text}${indent}caused by\n${formatError(cause, hasStack, paint)}` : text;
}

/** Control characters could change what the terminal shows, and parts of a line may come from callers. */
function escapeControls(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape.
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
