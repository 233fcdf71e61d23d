import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createHarness } from '../test/cli-harness.ts';
import { registerCommands } from './commands/register-commands.ts';
import { exitCodeMeanings } from './program.ts';

/** The words that lead to each command. */
function listCommands(command: Command, words: string[] = []): string[][] {
  const inner = command.commands.flatMap((each) => listCommands(each, [...words, each.name()]));
  return words.length === 0 ? inner : [words, ...inner];
}

function createCommands(): Command {
  const program = new Command('keyfront');
  registerCommands(program, createHarness().context);
  return program;
}

describe('help', () => {
  it('has a description and examples that run for every command', async () => {
    for (const words of listCommands(createCommands())) {
      const { code, stdout, stderr } = await createHarness({ terminalWidth: 80, env: { NO_COLOR: '1' } }).run(
        ...words,
        '--help',
      );
      expect([code, stderr]).toEqual([0, '']);
      const [usage, , description] = stdout.split('\n');
      expect(usage).toMatch(`Usage: keyfront ${words.join(' ')}`);
      expect(description).toMatch(/^[A-Z].+/);
      expect(stdout).toMatch(/\nExamples:\n {2}\S/);
      const lines = stdout.slice(0, stdout.indexOf('\nExamples:')).split('\n');
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it('uses only options that exist in the examples', async () => {
    for (const words of listCommands(createCommands())) {
      const { stdout } = await createHarness().run(...words, '--help');
      const examples = stdout.slice(stdout.indexOf('\nExamples:')).matchAll(/keyfront ([^|<>)\n]+)/g);
      for (const [, line = ''] of examples) {
        let command = createCommands();
        for (const word of line.split(' ')) {
          command = command.commands.find((each) => each.name() === word) ?? command;
          if (!/^--?[a-z]/.test(word)) continue;
          const isKnown = command.options.some(({ long, short }) => long === word || short === word);
          expect([line, word, isKnown]).toEqual([line, word, true]);
        }
      }
    }
  });

  it('is printed without arguments, with exit codes and environment variables', async () => {
    const { code, stdout } = await createHarness().run();
    expect(code).toBe(0);
    for (const meaning of Object.values(exitCodeMeanings)) expect(stdout).toContain(meaning);
    expect(stdout).toContain('KEYFRONT_PROFILE');
  });

  it('has bold titles on a terminal only', async () => {
    expect((await createHarness({ terminalWidth: 80 }).run('--help')).stdout).toContain(
      '\u001b[1mExit codes:\u001b[22m',
    );
    expect((await createHarness().run('--help')).stdout).not.toContain('\u001b');
    expect((await createHarness().run('login', '--help')).stdout).not.toContain('\u001b');
  });

  it.each([
    [['logn'], 'login', 'keyfront'],
    [['order', 'export'], 'orders', 'keyfront'],
    [['keys', 'lst'], 'list', 'keyfront keys'],
    [['orders', 'export', '--ouput', 'x'], '--output', 'keyfront orders export'],
  ])('suggests the nearest command or option for %j', async (args, suggestion, command) => {
    const { code, stderr } = await createHarness().run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`(Did you mean ${suggestion}?)`);
    expect(stderr).toContain(`Run \`${command} --help\` for usage.`);
  });
});

it('the README lists the same exit codes', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(rows).toEqual(Object.entries(exitCodeMeanings));
});
