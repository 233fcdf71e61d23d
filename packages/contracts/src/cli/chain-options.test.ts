import { describe, expect, it } from 'vitest';
import { readChainOptions } from './chain-options.ts';

describe('readChainOptions', () => {
  it('has defaults', () => {
    expect(readChainOptions([])).toEqual({ isHelp: false, port: 8545, blockTimeSeconds: 2 });
  });

  it('reads every option', () => {
    expect(readChainOptions(['--port', '0', '--block-time=12', '-h'])).toEqual({
      isHelp: true,
      port: 0,
      blockTimeSeconds: 12,
    });
  });

  it('rejects invalid options with a message', () => {
    for (const text of ['', 'x', '-1', '1.5', '65536', '1e3']) {
      expect(() => readChainOptions([`--port=${text}`])).toThrow(
        `--port must be a whole number from 0 to 65535, not "${text}".`,
      );
    }
    for (const text of ['0', '3601']) {
      expect(() => readChainOptions([`--block-time=${text}`])).toThrow(
        `--block-time must be a whole number from 1 to 3600, not "${text}".`,
      );
    }
    for (const args of [['--ports=1'], ['8545'], ['--port'], ['--help=no']]) {
      expect(() => readChainOptions(args), String(args)).toThrow('--help lists the options.');
    }
  });
});
