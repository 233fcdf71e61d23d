import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { completionScript } from '../completion-script.ts';
import { withExamples } from './options.ts';

/** `keyfront completion bash|zsh`: a script that completes what is typed. */
export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('print a script that completes the commands and options of keyfront')
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh') => {
      cli.output.write(completionScript(program, shell));
    });
  withExamples(command, 'source <(keyfront completion bash)', 'source <(keyfront completion zsh)');
}
