import { describe, expect, it } from 'vitest';
import { lastMeaningfulLine } from './server-log.ts';

describe('lastMeaningfulLine', () => {
  it('finds the fatal message before the lines that only tell how the server ended', () => {
    const text = [
      '2030-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL',
      '2030-01-01 00:00:00.001 UTC [7] FATAL:  could not create shared memory segment: No space left on device.',
      '2030-01-01 00:00:00.002 UTC [7] LOG:  database system is shut down',
      '',
    ].join('\n');
    expect(lastMeaningfulLine(text)).toBe('could not create shared memory segment: No space left on device');
  });

  it('finds the error of initdb and of the dynamic linker', () => {
    expect(
      lastMeaningfulLine('initdb: error: could not write\ninitdb: removing contents of data directory\n'),
    ).toBe('initdb: error: could not write');
    expect(lastMeaningfulLine('postgres: error while loading shared libraries: libz.so.1: not found\n')).toBe(
      'postgres: error while loading shared libraries: libz.so.1: not found',
    );
  });

  it('falls back to the last line, and to null for an empty log', () => {
    expect(lastMeaningfulLine('one\ntwo\n\n')).toBe('two');
    expect(lastMeaningfulLine('\n')).toBeNull();
  });
});
