import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorTable } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = join(root, 'packages/server/src');
const maxFilesInFolder = 20;

/** Every folder of the project that people write in. */
function listFolders(folder = root): string[] {
  const ignored = new Set(['node_modules', 'dist', '.git', '.keyfront', '.cache', 'coverage']);
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !ignored.has(entry.name),
  );
  return [folder, ...inner.flatMap((entry) => listFolders(join(folder, entry.name)))];
}

const listFiles = (folder: string) =>
  listFolders(folder).flatMap((each) =>
    readdirSync(each)
      .map((name) => join(each, name))
      .filter((path) => statSync(path).isFile()),
  );

/** The files that a source file imports, by their place in the project. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const specifiers = text.matchAll(
    /^(?:import|export)\b[^;]*?from '(\.[^']+)';|^import '(\.[^']+)';|\bimport\('(\.[^']+)'\)/gms,
  );
  return [...specifiers].map(([, ...found]) =>
    relative(root, resolve(dirname(path), found.find((each) => each !== undefined) ?? '')),
  );
}

const isSource = (path: string) => /(?<!\.test)\.tsx?$/.test(path);
const sources = listFiles(join(root, 'packages')).filter(isSource);
const imports = new Map(
  [
    ...sources,
    ...['bench', 'faults', 'fuzz'].flatMap((name) => listFiles(join(root, name)).filter(isSource)),
  ].map((path) => [relative(root, path), importsOf(path)]),
);

/** Which folders of the server each folder may import, besides itself. CONTRIBUTING.md draws it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['boot', 'lib'],
  boot: [
    'config',
    'resources',
    'http',
    'chain',
    'pipeline',
    'auth',
    'limits',
    'database',
    'observability',
    'lib',
  ],
  config: ['observability', 'lib'],
  resources: [
    'http/precompressed-file.ts',
    'pipeline',
    'chain',
    'auth',
    'limits',
    'database',
    'observability',
    'lib',
  ],
  http: ['pipeline', 'database', 'observability', 'lib'],
  chain: ['database', 'observability', 'lib'],
  pipeline: ['auth', 'limits', 'database', 'observability', 'lib'],
  auth: ['limits', 'database', 'lib'],
  limits: ['lib'],
  database: ['observability', 'lib'],
  observability: ['lib'],
  lib: [],
};

/** The order inside of a folder, from the top. A file may import its own floor and those below. `.` are the files of the folder itself. */
const innerFloors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  boot: [['.'], ['areas'], ['backup', 'commands', 'jobs'], ['data-folder']],
  http: [['docs', 'console', 'service-routes'], ['.']],
  pipeline: [['.'], ['handlers'], ['callbacks', 'idempotency', 'input', 'responses'], ['aliases']],
  database: [
    ['queries', 'coordination'],
    ['.'],
    ['migrations', 'replicas'],
    ['transactions'],
    ['connection'],
  ],
  chain: [['reader'], ['events'], ['.']],
  lib: [['request'], ['network'], ['.', 'encryption'], ['errors']],
};

/** The table of imports as CONTRIBUTING.md draws it: a row imports a column, `x` as a whole and `(x)` in part. */
function drawImports(): string {
  const rows = Object.entries(mayImport);
  const columns = rows.slice(1).map(([name]) => name);
  const markOf = (allowed: readonly string[], column: string) => {
    if (allowed.includes(column)) return 'x';
    return allowed.some((each) => each.startsWith(`${column}/`)) ? '(x)' : '';
  };
  const first = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = [
    ['', ...columns],
    ...rows.map(([name, allowed]) => [name, ...columns.map((column) => markOf(allowed, column))]),
  ].map(([name = '', ...cells]) => {
    const centred = cells.map((cell, index) => {
      const width = columns[index]?.length ?? 0;
      return cell.padStart(Math.ceil((width + cell.length) / 2)).padEnd(width);
    });
    return (name.padEnd(first) + centred.join('  ')).trimEnd();
  });
  return ['```text', ...lines, '```'].join('\n');
}

const inServer = (path: string) => path.startsWith('packages/server/src/');
const placeInServer = (path: string) => path.slice('packages/server/src/'.length);
const nounOf = (path: string) => /^resources\/([^/]+)\//.exec(path)?.[1];

function isAllowed(from: string, to: string): boolean {
  const [top = '', inner = ''] = from.split('/');
  const [otherTop = '', otherInner = ''] = to.split('/');
  if (top !== otherTop) {
    return (mayImport[top] ?? []).some((allowed) => to === allowed || to.startsWith(`${allowed}/`));
  }
  const noun = nounOf(from);
  // Of another noun, only the rules. No noun knows the demo.
  if (noun !== undefined && noun !== nounOf(to))
    return nounOf(to) !== 'demo' && !/-(queries|routes)\.ts$/.test(to);
  const floors = innerFloors[top];
  if (!floors) return true;
  const floorOf = (path: string, name: string) =>
    floors.findIndex((floor) => floor.includes(path.split('/').length === 2 ? '.' : name));
  return floorOf(from, inner) <= floorOf(to, otherInner);
}

/** Groups of files that import each other in a circle. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const number = numbers.size;
    numbers.set(node, number);
    lowest.set(node, number);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!numbers.has(next)) lowest.set(node, Math.min(lowest.get(node) ?? number, visit(next)));
      else if (stack.includes(next))
        lowest.set(node, Math.min(lowest.get(node) ?? number, numbers.get(next) ?? number));
    }
    if (lowest.get(node) === number) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest.get(node) ?? number;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return circles;
}

describe('the architecture', () => {
  it('lets packages meet through their names only', () => {
    const packageOf = (path: string) =>
      path
        .split('/')
        .slice(0, path.startsWith('packages/') ? 2 : 1)
        .join('/');
    const broken = [...imports]
      .filter(([from]) => from.startsWith('packages/'))
      .flatMap(([from, targets]) =>
        targets.filter((to) => packageOf(from) !== packageOf(to)).map((to) => `${from} imports ${to}`),
      );
    expect(broken).toEqual([]);
  });

  it('lets no import of the server climb', () => {
    const broken = [...imports]
      .filter(([from]) => inServer(from))
      .flatMap(([from, targets]) =>
        targets
          .filter((to) => inServer(to) && !isAllowed(placeInServer(from), placeInServer(to)))
          .map((to) => `${placeInServer(from)} imports ${placeInServer(to)}`),
      );
    expect(broken).toEqual([]);
  });

  const importers = (name: RegExp, folder: string) =>
    [...imports.keys()].filter(
      (path) => path.startsWith(folder) && name.test(readFileSync(join(root, path), 'utf8')),
    );

  it.each([
    'body-memory',
    'bounded-map',
    'demo',
    'evm',
    'fair-queue',
    'file-store',
    'log-writer',
    'order-archive',
    'order-pages',
    'postgres',
    'rate-limiter',
    'signatures',
    'validation',
    'webhook-sender',
  ])(
    'lets %s import nothing of ours but the protocol, the bounded map, the template of HTML and the type of a file store',
    (name) => {
      expect(
        importers(
          /'@keyfront\/(?!protocol'|bounded-map'|api-reference\/html'|file-store')/,
          `packages/${name}/`,
        ),
      ).toEqual([]);
    },
  );

  it('lets its noun and the app import the demo', () => {
    const ofDemo = importers(/'@keyfront\/demo'/, 'packages/');
    expect(ofDemo.filter((path) => !path.startsWith('packages/server/src/resources/demo/'))).toEqual([
      'packages/server/src/boot/areas/catalogue-area.ts',
    ]);
  });

  it('lets the OpenAPI document import the protocol and types of the reference only', () => {
    const importLines = sources
      .filter((path) => relative(root, path).startsWith('packages/openapi/'))
      .flatMap((path) => readFileSync(path, 'utf8').match(/^(?:import .*|\}) from '@keyfront.*$/gm) ?? [])
      .filter((line) => !line.endsWith(" from '@keyfront/protocol';"));
    expect(importLines).not.toEqual([]);
    expect(
      importLines.filter((line) => !/^import type .* from '@keyfront\/api-reference';$/.test(line)),
    ).toEqual([]);
  });

  it('has no circle of imports, not even of types', () => {
    expect(findCircles(imports)).toEqual([]);
  });

  it('has nothing loose in the server but main.ts, no crowded folder, and no two files with one name', () => {
    const files = sources
      .map((path) => relative(root, path))
      .filter(inServer)
      .map(placeInServer);
    expect(files.filter((path) => !path.includes('/'))).toEqual(['main.ts']);
    const findMoreThan = (max: number, keys: readonly string[]) =>
      [...new Set(keys)].filter((key) => keys.filter((each) => each === key).length > max);
    expect(findMoreThan(maxFilesInFolder, files.map(dirname))).toEqual([]);
    const names = files.map((path) => basename(path));
    expect(findMoreThan(1, names)).toEqual([]);
  });

  it('keeps SQL in *-queries.ts, migrations and database/', () => {
    const sql = /`\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/;
    const offenders = sources
      .filter((path) => path.startsWith(server) && sql.test(readFileSync(path, 'utf8')))
      .map((path) => relative(server, path))
      .filter((path) => !path.endsWith('-queries.ts') && !path.startsWith('database/'));
    expect(offenders).toEqual([]);
  });

  it('reads the environment only in config/config.ts', () => {
    const readers = sources
      .filter((path) => path.startsWith(server) && readFileSync(path, 'utf8').includes('process.env'))
      .map((path) => relative(server, path));
    expect(readers).toEqual(['config/config.ts']);
  });
});

it('names no package registry: npm uses the one that it is configured with', () => {
  const registry = new RegExp(
    [
      String.raw`\bregistry\.[a-z0-9-]+\.[a-z]{2,}\b`,
      String.raw`\bnpm\.pkg\.[a-z0-9-]+\.[a-z]{2,}\b`,
      String.raw`\bregistry(-url)?["']?\s*[:=]\s*["']?https?:`,
      '"resolved": "https?:',
    ].join('|'),
    'i',
  );
  const offenders = listFiles(root).filter((path) => registry.test(readFileSync(path, 'utf8')));
  expect(offenders.map((path) => relative(root, path))).toEqual([]);
});

describe('the documentation', () => {
  it('draws the imports of the server for contributors', () => {
    const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    expect(page).toContain(drawImports());
    for (const [folder, allowed] of Object.entries(mayImport)) {
      for (const part of allowed.filter((each) => each.includes('/'))) {
        expect(page).toContain(`\`${folder}\` imports only \`${part}\``);
      }
    }
  });

  it('has each decision in the index, on at most 80 lines, and a README of two screens', () => {
    const folder = join(root, 'docs/decisions');
    const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');
    const decisions = readdirSync(folder).filter((name) => name !== 'README.md');
    const listed = linesOf(join(folder, 'README.md')).flatMap((line) => {
      const [, number = '', title, name = ''] = /^\| (\d+) \| \[(.+)\]\((.+)\) \| .+ \|$/.exec(line) ?? [];
      return title === undefined ? [] : [{ number, title, name }];
    });
    expect(listed.map(({ name }) => name)).toEqual(decisions);
    for (const { number, name } of listed) expect(name.startsWith(`${number.padStart(2, '0')}-`)).toBe(true);
    const pages = [...decisions.map((name) => join(folder, name)), join(root, 'README.md')];
    expect(pages.filter((path) => linesOf(path).length > 80)).toEqual([]);
  });

  it('explains every error, and no other', () => {
    const guide = readFileSync(join(root, 'docs/guides/errors.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \| (.+?) \|/gm)].map(
      ([, status, code, message]) => [code, Number(status), message],
    );
    const expected = Object.entries(errorTable).map(([code, { status, message }]) => [code, status, message]);
    expect(rows).toEqual(expected);
  });

  it('links only to files that exist', () => {
    const dead = listFiles(root)
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, target = '']) => resolve(dirname(path), target))
          .filter((target) => statSync(target, { throwIfNoEntry: false }) === undefined)
          .map((target) => `${relative(root, path)} → ${relative(root, target)}`),
      );
    expect(dead).toEqual([]);
  });
});
