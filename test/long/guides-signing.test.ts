import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  expectNoSecret,
  openTerminal,
  type ProgramRun,
  prepareGoModule,
  readAnswers,
  readDocument,
  readGoVariables,
  readPrograms,
  runProgram,
} from '../support/guide-programs.ts';
import { type GuideService, guideClientId, startGuideService } from '../support/guide-service.ts';
import { makeOpensslKey } from '../support/openssl.ts';
import { needs, type RequirementName } from '../support/requirements.ts';
import { startService, withUsedDataFolder } from '../support/service-process.ts';

const guide = readDocument('docs/guides/signing.md');
const [bashProgram] = readPrograms(guide, 'Bash, openssl and curl', 'bash');

let service: GuideService;
/** For the files of one test. */
let folder: string;

beforeAll(async () => {
  service = await startGuideService();
});
afterAll(() => service.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-guide-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const planets = { success: true, data: { planets: [{ number: 1, name: 'Verdane' }] } };
const strains = { success: true, data: { strains: [{ name: 'Lunar Saffron' }], pageMetaDto: { take: 5 } } };

interface Language {
  readonly heading: string;
  readonly language: string;
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  readonly requirement?: RequirementName;
  /** The prefix of a line that is commented out. */
  readonly comment: string;
  readonly variables?: () => Record<string, string>;
}

const simple: readonly Language[] = [
  {
    heading: 'Bash, openssl and curl',
    language: 'bash',
    file: 'keyfront.sh',
    command: ['bash', 'keyfront.sh'],
    comment: '# ',
  },
  {
    heading: 'Node',
    language: 'js',
    file: 'keyfront.mjs',
    command: [process.execPath, 'keyfront.mjs'],
    comment: '// ',
  },
  {
    heading: 'Python',
    language: 'python',
    file: 'keyfront.py',
    command: ['python3', 'keyfront.py'],
    requirement: 'Python',
    comment: '# ',
  },
  {
    heading: 'PHP',
    language: 'php',
    file: 'keyfront.php',
    command: ['php', 'keyfront.php'],
    requirement: 'PHP',
    comment: '// ',
  },
  {
    heading: 'Go',
    language: 'go',
    file: 'main.go',
    command: ['go', 'run', '.'],
    requirement: 'Go',
    comment: '// ',
    variables: readGoVariables,
  },
];
/** Each language has a program for each form of signature. */
const languages = simple.flatMap((each) => [each, { ...each, heading: `Bound: ${each.heading}` }]);

describe('the programs of the signing guide', () => {
  for (const { heading, language, file, command, requirement, comment, variables } of languages) {
    const options = needs(...(requirement ? [requirement] : []));
    const [program] = readPrograms(guide, heading, language);

    const run = async (text: string, key = service.key): Promise<ProgramRun> => {
      await writeFile(join(folder, file), text);
      if (language === 'go') prepareGoModule(folder);
      const [name, ...args] = command;
      return runProgram(name, args, folder, { ...variables?.(), ...service.variablesFor(key) });
    };

    it(`work unchanged: ${heading}`, options, async () => {
      const { statuses, bodies } = readAnswers(await run(program));
      expect(statuses).toEqual([200, 200]);
      expect(bodies).toMatchObject([planets, strains]);
    });

    it(`work with the POST enabled: ${heading}`, options, async () => {
      const post = program.split('\n').find((line) => line.includes('/dapp/orders')) ?? '';
      expect(post.trimStart().startsWith(comment)).toBe(true);
      await service.fillCart();
      const { statuses, bodies } = readAnswers(await run(program.replace(post, post.replace(comment, ''))));
      expect(statuses).toEqual([200, 200, 201]);
      const orderLines = [{ strain: { name: 'Lunar Sage' }, quantity: 1 }];
      const placed = { client: { id: guideClientId }, orderLines };
      expect(bodies).toMatchObject([planets, strains, { success: true, data: placed }]);
    });

    it(`print the reason for a 401: ${heading}`, options, async () => {
      const refused = await run(program, makeOpensslKey(folder, 'unknown'));
      const { statuses, bodies } = readAnswers(refused);
      expect(statuses).toEqual([401, 401]);
      // A bound signature does not tell whether its key is known.
      const isBound = heading.startsWith('Bound: ');
      const reason = isBound
        ? /^signature does not match this request/
        : /its key is not known here or was revoked$/;
      const refusal = { statusCode: 401, reason: expect.stringMatching(reason) };
      expect(bodies).toMatchObject([refusal, refusal]);
    });
  }

  it.each(['Go', 'Bound: Go'])('are formatted: %s', needs('Go'), async (heading) => {
    const [program] = readPrograms(guide, heading, 'go');
    await writeFile(join(folder, 'main.go'), program);
    const formatted = await runProgram('gofmt', ['-e', 'main.go'], folder, {});
    expect(formatted).toEqual({ code: 0, stdout: program, stderr: '' });
  });
});

describe('the signed requests of the README and the quickstart', () => {
  it('print the planets, with no secret in the process list and no file left', {
    timeout: 240_000,
  }, async () => {
    const [withCli] = readPrograms(readDocument('README.md'), 'Send a signed request', 'bash');
    const quickstart = readDocument('docs/guides/quickstart.md');
    const [program] = readPrograms(quickstart, 'The same request with curl', 'bash');
    await withUsedDataFolder(async (dataFolder) => {
      const started = startService({ KEYFRONT_DATA: dataFolder });
      await started.ready;
      const terminal = openTerminal(folder, dataFolder);

      const profiles = join(folder, 'profiles.json');
      const cli = await terminal.run(`export KEYFRONT_CONFIG='${profiles}'\n${withCli}`);
      expect(cli.code, cli.stderr).toBe(0);
      expect(cli.stdout).toContain('"name": "Verdane"');

      const run = await terminal.run(program);
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('"success":true');
      expect(JSON.parse(run.stdout).data.planets).toContainEqual(
        expect.objectContaining({ name: 'Verdane' }),
      );
      const demo = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      expectNoSecret(terminal.readCommands(), demo.holders[0].secretKey);
      expect(readdirSync(terminal.cwd)).toEqual(['.keyfront', 'node_modules']);
      expect(readdirSync(terminal.temporary)).toEqual([]);

      // The same demo, as the guide takes it.
      const [take] = readPrograms(guide, 'Examples', 'bash');
      const { statuses, bodies } = readAnswers(await terminal.run(`${take}\n${bashProgram}`));
      expect(statuses).toEqual([200, 200]);
      expect(bodies).toMatchObject([{ success: true }, strains]);
      await started.end();
    });
  });
});
