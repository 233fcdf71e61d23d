import { readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createHarness } from '../test/cli-harness.ts';
import { registerCommands } from './commands/register-commands.ts';
import { profileFile, writeProfiles } from './credentials/profiles.ts';
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

/** Expects that a line of words after `keyfront` begins with a command, and has only options of it. */
function expectKnownOptions(line: string): void {
  let command = createCommands();
  const [first] = line.split(' ');
  expect(command.commands.map((each) => each.name())).toContain(first);
  for (const word of line.split(' ')) {
    command = command.commands.find((each) => each.name() === word) ?? command;
    if (!/^--?[a-z]/.test(word)) continue;
    const isKnown = command.options.some(({ long, short }) => long === word || short === word);
    expect([line, word, isKnown]).toEqual([line, word, true]);
  }
}

describe('help', () => {
  it('has a description and examples that run for every command', { tags: ['long'] }, async () => {
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

  it('uses only options that exist in the examples', { tags: ['long'] }, async () => {
    for (const words of listCommands(createCommands())) {
      const { stdout } = await createHarness().run(...words, '--help');
      const examples = stdout.slice(stdout.indexOf('\nExamples:')).matchAll(/keyfront ([^|<>)\n]+)/g);
      for (const [, line = ''] of examples) expectKnownOptions(line);
    }
  });

  it('quotes in examples and options what a shell would expand', async () => {
    const texts = await Promise.all(
      listCommands(createCommands()).map(
        async (words) => (await createHarness().run(...words, '--help')).stdout,
      ),
    );
    const files = ['README.md', 'packages/cli/README.md', 'packages/sdk/README.md', 'docs/guides/events.md'];
    const documents = files.map((name) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
    for (const text of [...texts, ...documents]) {
      for (const [line] of text.matchAll(/(?:keyfront |such as ).*/g)) {
        expect(line.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, '')).not.toMatch(/\w\.\*/);
      }
    }
  });

  it('has all commands and options of the guides, whose commands run in a clone', () => {
    const folder = new URL('../../../docs/guides/', import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
    const texts = names.map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const lines = texts.flatMap((text) => [...text.matchAll(/npx @keyfront\/cli ([^`|<>)\n\\]+)/g)]);
    expect(lines.length).toBeGreaterThan(10);
    for (const [, line = ''] of lines) if (!line.startsWith('--help')) expectKnownOptions(line);
    // Without the scope, npx would fetch another package.
    for (const text of texts) expect(text).not.toContain('npx keyfront ');
    // In a block of code, a reader of a clone copies what is there.
    for (const text of texts) expect(text).not.toMatch(/^```sh\n(?:(?!```)[^\n]*\n)*keyfront /m);
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

describe('an unknown command', () => {
  it.each([
    [['help', 'nope'], 'nope', 'keyfront'],
    [['nope', '--help'], 'nope', 'keyfront'],
    [['--profile', 'admin', 'help', 'nope'], 'nope', 'keyfront'],
    [['keys', 'nope', '-h'], 'nope', 'keyfront keys'],
    [['help', 'keys', 'nope'], 'nope', 'keyfront keys'],
  ])('is an error in a request for help: %j', async (args, name, command) => {
    expect(await createHarness().run(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: unknown command '${name}'\nRun \`${command} --help\` for usage.\n`,
    });
  });

  it('comes with a suggestion', async () => {
    const { stderr } = await createHarness().run('help', 'logn');
    expect(stderr).toContain('(Did you mean login?)');
  });
});

it.each([
  [['help'], 'keyfront'],
  [['help', 'keys'], 'keyfront keys'],
  [['help', 'keys', 'list'], 'keyfront keys list'],
])('prints help for %j', async (args, command) => {
  const { code, stdout } = await createHarness().run(...args);
  expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining(`Usage: ${command} `)]);
});

describe('an option before the command', () => {
  const admin = { url: 'http://admin.test/api/v1', token: 'admin-token' };
  const createWithProfiles = async () => {
    const harness = createHarness({ env: {} });
    const profiles = { default: { ...admin, token: 'other-token' }, admin };
    await writeProfiles(profileFile(harness.context), new Map(Object.entries(profiles)));
    return harness;
  };

  it.each([
    [['--profile', 'admin', 'get', '/planets'], 'admin-token'],
    [['--profile=admin', 'keys', 'list'], 'admin-token'],
    [['keys', '--profile', 'admin', 'list'], 'admin-token'],
    [['--profile', 'default', 'keys', '--profile', 'admin', 'list'], 'admin-token'],
    [['--profile', 'default', 'get', '/planets', '--profile', 'admin'], 'admin-token'],
    [['get', '--profile', 'admin', '/planets'], 'admin-token'],
    [['get', '/planets'], 'other-token'],
  ])('applies to it: %j', async (args, token) => {
    const harness = await createWithProfiles();
    await harness.run(...args);
    expect(harness.requests[0]?.headers.get('authorization')).toBe(`Bearer ${token}`);
  });

  it('may be --verbose', async () => {
    const { stderr } = await (await createWithProfiles()).run('--verbose', 'get', '/planets');
    expect(stderr).toContain('GET http://admin.test/api/v1/planets');
  });

  it('is an error if the command does not have it', async () => {
    expect(await createHarness().run('--profile', 'x', 'completion', 'bash')).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown option '--profile'\nRun `keyfront completion --help` for usage.\n",
    });
  });
});

it('the README lists the same exit codes', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(rows).toEqual(Object.entries(exitCodeMeanings));
});
