import { Argument, type Command } from 'commander';
import { completionScripts, type Shell, shells } from '../completion/shell-scripts.ts';
import type { Context } from '../context.ts';
import { withDescription, withExamples } from './shared-options.ts';

/** `keyfront completion SHELL`: prints a completion script. */
export function addCompletion(program: Command, context: Context): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells))
    .action((shell: Shell) => {
      context.stdout.write(completionScripts[shell]);
    });
  withDescription(
    command,
    'Print a completion script for bash, zsh or fish',
    'The script completes commands, options, profiles and API paths. Load it when your shell starts.',
  );
  withExamples(
    command,
    context,
    "echo 'source <(keyfront completion bash)' >> ~/.bashrc",
    "echo 'source <(keyfront completion zsh)' >> ~/.zshrc",
    'mkdir -p ~/.config/fish/completions && keyfront completion fish > ~/.config/fish/completions/keyfront.fish',
  );
}
