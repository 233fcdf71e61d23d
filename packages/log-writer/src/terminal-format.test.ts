import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLogger, createRequestLineWriter } from '../../server/src/observability/logging.ts';
import { createTerminalFormat } from './terminal-format.ts';

function openLog(hasColors = false) {
  const written: string[] = [];
  const format = createTerminalFormat(hasColors);
  const logger = createLogger('trace', { write: (line) => void written.push(format(line)) });
  return { logger, writeRequest: createRequestLineWriter(logger), text: () => written.join('') };
}

const clock = /^\d\d:\d\d:\d\d\.\d{3}$/;
/** Checks the time at the start of each entry, and removes it. */
function withoutTimes(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith(' ')) return line;
      expect(line.slice(0, 12)).toMatch(clock);
      return line.slice(13);
    });
}

describe('the log on a terminal', () => {
  it('shows the method, route, status and duration of requests, and the id of those that failed', () => {
    const { writeRequest, text } = openLog();
    const line = {
      ...{ reqId: 'trace-1', method: 'GET', route: '/api/v1/planets', status: 200, durationMs: 3 },
      ...{ address: '192.0.2.1', caller: '' },
    };
    writeRequest(line);
    writeRequest({ ...line, method: 'DELETE', status: 404, durationMs: 1234.56 });
    expect(withoutTimes(text())).toEqual([
      'info  GET    200    3.0 ms /api/v1/planets',
      'info  DELETE 404 1234.6 ms /api/v1/planets trace-1',
    ]);
  });

  it('shows messages with their fields', () => {
    const { logger, text } = openLog();
    logger.warn({ position: 7, name: 'reader', list: [1] }, 'Read the chain');
    logger.info('Ready');
    expect(withoutTimes(text())).toEqual([
      'warn  Read the chain position=7 name=reader list=[1]',
      'info  Ready',
    ]);
  });

  it('shows errors below the message with their causes, and with the stack unless it is a warning', () => {
    const { logger, text } = openLog();
    logger.error({ err: new Error('outer', { cause: new TypeError('inner') }) }, 'Failed');
    const [first, ...rest] = withoutTimes(text());
    expect(first).toBe('error Failed');
    expect(rest.every((line) => line.startsWith(' '.repeat(19)))).toBe(true);
    const shown = rest.map((line) => line.trim()).filter((line) => !line.startsWith('at '));
    expect(shown).toEqual(['Error: outer', 'caused by', 'TypeError: inner']);
    expect(rest.some((line) => /^ +at .+terminal-format\.test\.ts/.test(line))).toBe(true);

    const warning = openLog();
    warning.logger.warn({ err: new Error('lost') }, 'Reconnecting');
    expect(withoutTimes(warning.text())).toEqual(['warn  Reconnecting', `${' '.repeat(19)}Error: lost`]);
  });

  it('is redacted as the JSON is', () => {
    const { logger, text } = openLog();
    logger.info({ token: 's3cret' }, 'for ada@shop.example');
    expect(withoutTimes(text())).toEqual(['info  for [e-mail] token=[redacted]']);
  });

  it('escapes control characters, so that nobody can write to the terminal', () => {
    const { logger, text } = openLog(true);
    logger.warn({ field: '\u009b2J' }, 'a\u001b[2Jb\nc\rd');
    const shown = stripVTControlCharacters(text());
    expect(shown).toContain('a\\u001b[2Jb\\u000ac\\u000dd field=\\u009b2J');
    expect(text().split('\n')).toHaveLength(2);
  });

  it('has colors only where they are wanted, and otherwise the same text', () => {
    const lines = [true, false].map((hasColors) => {
      const { logger, writeRequest, text } = openLog(hasColors);
      writeRequest({
        ...{ reqId: 'trace-1', method: 'GET', route: '/', status: 503, durationMs: 1 },
        ...{ address: '192.0.2.1', caller: '' },
      });
      logger.fatal({ err: new Error('on purpose') }, 'Uncaught exception: shutting down');
      return text();
    });
    expect(lines[0]).toContain('\u001b[31m503\u001b[39m');
    expect(lines[1]).not.toContain('\u001b');
    const [colored = [], plain = []] = lines.map((text) =>
      withoutTimes(stripVTControlCharacters(text)).filter((line) => !line.trim().startsWith('at ')),
    );
    expect(colored).toEqual(plain);
  });

  it('shows a line that is not JSON as it is', () => {
    expect(createTerminalFormat(false)('plain text\n')).toBe('plain text\n');
  });
});
