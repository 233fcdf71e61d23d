import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examine } from '../doctor/examine.ts';
import { getCredentials } from '../settings/credentials.ts';
import { styleFor } from '../terminal/style.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';

/** `keyfront doctor`: what is wrong, and what to do about it. */
export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .description('check the address, the clock, the key, a signed GET and a signed POST; changes nothing')
    .action((options: ProfileOption) => runDoctor(cli, options));
  withProfile(command);
  withExamples(command, 'keyfront doctor', 'keyfront doctor --profile admin');
}

async function runDoctor(cli: Cli, options: ProfileOption): Promise<void> {
  const style = styleFor(cli.output, cli.env);
  for await (const { isGood, text } of examine(cli, await getCredentials(cli, options))) {
    cli.output.write(`${isGood ? style.green('ok  ') : style.yellow('note')} ${text}\n`);
  }
  cli.output.write('All is well\n');
}
