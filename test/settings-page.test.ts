import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/config/settings.ts';

const command = 'npm test -- test/settings-page.test.ts --update';
const source = 'packages/server/src/config/settings.ts';

const introduction = `# Settings

The service reads its settings from the environment and from a \`.env\` file in the folder where it starts. The
environment takes precedence, and an empty setting counts as absent. No setting is required to start, unless \`NODE_ENV\`
is \`production\`. A start with invalid settings ends with a sentence for each of them. At the start, the service also
warns of variables that look like a misspelt setting.

A setting that is marked as secret can be given in a file instead: \`JWT_SECRET_FILE=/run/secrets/jwt\` reads \`JWT_SECRET\` from
that file, without spaces and line breaks at its ends. Then it is in no process list and in no description of a container. A message
about an invalid setting never quotes a secret one. [Rotating secrets](secrets.md) tells how to
change them.

<!-- Generated from ${source}. Change it there, and run: ${command} -->
`;

/** URLs and placeholders of a rule as code. */
const describeRule = (rule: string) =>
  rule.replace(/^m/, 'M').replaceAll(/[a-z]+:\/\/[^\s,]+|\{\w+\}/g, (code) => `\`${code}\``);

function describeSettings(): string {
  const all = Object.entries(settings);
  const sections = [...new Set(all.map(([, { group }]) => group))].map((group) => {
    const members = all.filter(([, setting]) => setting.group === group);
    const rows = members.map(([name, { rule, isSecret, description, ...setting }]) => {
      const sentences = [description, describeRule(rule), `Default: ${setting.default}`].filter(Boolean);
      return `| \`${name}\` | ${isSecret ? '**Secret.** ' : ''}${sentences.join('. ')} |`;
    });
    return ['', `## ${group}`, '', '| Setting | What it is |', '|---|---|', ...rows, ''].join('\n');
  });
  return introduction + sections.join('');
}

describe('the page of settings', () => {
  it('is what the settings say', async () => {
    await expect(describeSettings(), `run: ${command}`).toMatchFileSnapshot('../docs/operating/settings.md');
  });

  it('lists every setting once, with its rule and its default', () => {
    const page = describeSettings();
    const names = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| /gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(Object.keys(settings).sort());
    expect(page).toContain(
      '| `PORT` | The port to listen on. `0` chooses a free port. Must be a whole number from 0 to 65535. Default: `3000` |\n',
    );
    expect(page).toContain('| `REDIS_URL` | **Secret.** A Redis server ');
    expect(page).toContain(' Must be a URL such as `redis://cache.example:6379`. Default: none |\n');
  });

  it('marks every setting as secret whose name says so', () => {
    const secretName = /SECRET|TOKEN$|_KEY$|_KEY_ID$|HEADERS|(DATABASE|REDIS|RPC).*URL$/;
    const marked = Object.entries(settings).filter(([, { isSecret }]) => isSecret);
    const expected = Object.keys(settings).filter((name) => secretName.test(name.replace(/_PREVIOUS$/, '')));
    expect(marked.map(([name]) => name)).toEqual(expected);
  });
});
