import { readFileSync } from 'node:fs';
import { type Argument, Command } from 'commander';
import { exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { hasColors, styleFor } from './terminal/style.ts';

const environment = {
  KEYFRONT_PROFILE: 'profile to use when --profile is not given',
  KEYFRONT_URL: 'service URL; overrides the profile, unless --profile is given',
  KEYFRONT_API_KEY: 'API key (public key); likewise',
  KEYFRONT_SECRET_KEY: 'secret key; likewise',
  KEYFRONT_TOKEN: 'token of a signed-in wallet; likewise',
  KEYFRONT_CONFIG: 'path of the profile file',
  NO_COLOR: 'disable colors; FORCE_COLOR enables them without a terminal',
  DEBUG: 'print stack traces with errors',
};

/** What each exit code means. The README has the same table. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  [exitCodes.ok]: 'success',
  [exitCodes.failure]: 'other failure, such as a file that cannot be written',
  [exitCodes.usage]: 'invalid usage or missing credentials',
  [exitCodes.authentication]: 'credentials rejected (401)',
  [exitCodes.rejected]: 'request rejected: invalid, forbidden or not found (other 4xx)',
  [exitCodes.unavailable]: 'no response, rate limit (429) or server error (5xx); try again later',
  [exitCodes.interrupted]: 'interrupted with Ctrl-C',
  [exitCodes.terminated]: 'terminated with SIGTERM',
};

/** The program without its commands. */
export function createProgram(
  { env, stdout, stderr }: Context,
  { printsErrors }: { readonly printsErrors: boolean },
): Command {
  const { bold } = styleFor(stdout, { ...env, FORCE_COLOR: '1' });
  return new Command('keyfront')
    .description('Keyfront from the command line: send signed requests, export orders and manage API keys.')
    .usage('<command> [options]')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({
      // Commander removes the styles again where the stream has no colors.
      styleTitle: bold,
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(termOf)].join(' '),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => {
        if (printsErrors) stderr.write(text);
      },
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => hasColors(stdout, env),
      getErrHasColors: () => hasColors(stderr, env),
    })
    .addHelpText('beforeAll', ({ command }) => {
      rejectUnknownCommand(command);
      return '';
    })
    .addHelpText(
      'after',
      () => `\n${describeEnvironment(bold)}\n${describeExitCodes(bold)}${firstSteps(bold)}`,
    );
}

/**
 * Commander responds to a request for help with an unknown command with the help of the group. Without the request for
 * help, it reports the unknown command and suggests another one.
 */
function rejectUnknownCommand(group: Command): void {
  const [name] = group.args[0] === 'help' ? group.args.slice(1) : group.args;
  if (group.commands.length === 0 || name === undefined || name.startsWith('-')) return;
  if (!group.commands.some((command) => command.name() === name)) group.parse([name], { from: 'user' });
}

function termOf(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function describeEnvironment(title: (text: string) => string): string {
  return `${title('Environment variables:')}\n${list(Object.entries(environment))}`;
}

function describeExitCodes(title: (text: string) => string): string {
  return `${title('Exit codes:')}\n${list(Object.entries(exitCodeMeanings))}`;
}

function firstSteps(title: (text: string) => string): string {
  return `
${title('Get started:')}
  keyfront login
  keyfront doctor
  keyfront get /planets

Run \`keyfront <command> --help\` for the options and examples of a command.`;
}

function list(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}\n`).join('');
}

/** The version of this package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}
