import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Cli } from './cli.ts';

/** The command line without its commands. */
export function createProgram(cli: Cli): Command {
  return new Command('keyfront')
    .description('The command line of Keyfront: signed requests, exports, charts, keys and a doctor.')
    .version(readVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.output.write(text),
      writeErr: (text) => cli.errors.write(text),
      getOutHelpWidth: () => cli.output.columns ?? 80,
      getErrHelpWidth: () => cli.errors.columns ?? 80,
    });
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}
