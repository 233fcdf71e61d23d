import { describe, expect, it } from 'vitest';
import { findReason } from './server-log.ts';

describe('findReason', () => {
  it('finds the fatal message before the lines that only report the end of the server', () => {
    const text = [
      '2030-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL',
      '2030-01-01 00:00:00.001 UTC [7] FATAL:  could not create shared memory segment: No space left on device.',
      '2030-01-01 00:00:00.002 UTC [7] LOG:  database system is shut down',
      '',
    ].join('\n');
    expect(findReason(text)).toBe('could not create shared memory segment: No space left on device');
  });

  it('finds the error of initdb and of the dynamic linker', () => {
    expect(findReason('initdb: error: could not write\ninitdb: removing contents of data directory\n')).toBe(
      'initdb: error: could not write',
    );
    expect(findReason('postgres: error while loading shared libraries: libz.so.1: not found\n')).toBe(
      'postgres: error while loading shared libraries: libz.so.1: not found',
    );
  });

  it('falls back to the last line, and to null for an empty log', () => {
    expect(findReason('one\ntwo\n\n')).toBe('two');
    expect(findReason('\n')).toBeNull();
  });
});
