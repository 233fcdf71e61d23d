// Renders the documentation ahead, so that the service only sends files: the OpenAPI document, the reference, the guides, and all
// of them in Markdown. Addresses of the service are placeholders, which the service replaces.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { buildReferenceSite } from '@keyfront/api-reference';
import { referenceTopics } from '@keyfront/openapi';
import { makeOpenApiDocument } from '../dist/http/docs/openapi-document.js';
import { placeholders } from '../dist/http/docs/placeholders.js';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(packageFolder, '..', '..');
const read = (path) => readFileSync(join(root, path), 'utf8');

const guides = listGuides(
  'docs/guides',
  /^\| \[(?<title>.+?)\]\((?<name>[\w-]+)\.md\) \| (?<about>.+?) \|$/gm,
);
const operating = listGuides(
  'docs/operating',
  /^\| (?<about>.+?) \| \[(?<title>.+?)\]\((?<name>[\w-]+)\.md\) \|$/gm,
);
const sections = [
  { title: 'Guides', guides },
  {
    title: 'Tools and terms',
    guides: [
      page('sdk', 'packages/sdk/README.md', 'TypeScript SDK', 'The client that a storefront imports'),
      page('cli', 'packages/cli/README.md', 'Command line', 'Call the API from a terminal or a script'),
      page('glossary', 'docs/glossary.md', 'Glossary', 'The terms of the API and of this documentation'),
      page('changelog', 'CHANGELOG.md', 'Changelog', 'What has changed in each release', readChangelog()),
    ],
  },
  {
    title: 'Operating',
    guides: [
      page('operating', 'docs/operating/README.md', 'All tasks', 'Which page answers which question'),
      ...operating,
    ],
  },
];

await render('docs', false);
// A sandbox has further operations, and says on each page that it is one.
await render('docs-sandbox', true);

async function render(folder, isSandbox) {
  const output = join(packageFolder, 'dist', folder);
  const document = await makeOpenApiDocument(placeholders.baseUrl, {
    stagingUrl: placeholders.stagingUrl,
    isSandbox,
  });
  const paths = { home: 'docs', openApi: 'api/v1/openapi.json' };
  const site = buildReferenceSite(document, {
    paths,
    root: `${placeholders.root}/`,
    topics: referenceTopics,
    sections,
    homeSources: ['README.md', 'docs/README.md', 'docs/guides/README.md'],
    payloadProperty: 'data',
  });
  site.push({
    path: paths.openApi,
    contentType: 'application/json; charset=utf-8',
    content: JSON.stringify(document),
    isVersioned: false,
  });

  rmSync(output, { recursive: true, force: true });
  const files = [...(await Promise.all(site.map((file) => writeText(output, file)))), ...copyImages(output)];
  const list = guides.map(({ path, title, description }) => ({
    name: path.replace('guides/', ''),
    title,
    description,
  }));
  writeFileSync(join(output, 'files.json'), JSON.stringify({ files, guides: list }));
}

/** The pages of a folder in the order in which its README lists them. */
function listGuides(folder, row) {
  return [...read(`${folder}/README.md`).matchAll(row)].map(({ groups: { name, title, about } }) =>
    page(`${folder.replace('docs/', '')}/${name}`, `${folder}/${name}.md`, title, about),
  );
}

function page(path, source, title, description, markdown = read(source)) {
  return { path, source, title, description, markdown };
}

/** The changelogs of all packages on one page. */
function readChangelog() {
  const names = [...read('CHANGELOG.md').matchAll(/\]\(packages\/([\w-]+)\/CHANGELOG\.md\)/g)].map(
    ([, name]) => name,
  );
  const parts = names.map((name) => {
    const [, text] = read(`packages/${name}/CHANGELOG.md`).split(/^# .*$/m);
    return `## @keyfront/${name}\n\n${text.trim().replaceAll(/^#/gm, '##')}`;
  });
  return `${read('CHANGELOG.md').trim()}\n\n${parts.join('\n\n')}\n`;
}

/** A page has no extension in its address, but needs one where a folder has its name. */
async function writeText(output, { path, contentType, content, isVersioned }) {
  const file = `${path}${contentType.startsWith('text/html') ? '.html' : ''}.br`;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const compressed = await promisify(brotliCompress)(content, { params });
  mkdirSync(dirname(join(output, file)), { recursive: true });
  writeFileSync(join(output, file), compressed);
  return { path, file, contentType, isVersioned };
}

function copyImages(output) {
  const folder = 'docs/guides/images';
  mkdirSync(join(output, folder), { recursive: true });
  return readdirSync(join(root, folder)).map((name) => {
    const file = `${folder}/${name}`;
    writeFileSync(join(output, file), readFileSync(join(root, file)));
    return { path: file, file, contentType: 'image/webp', isVersioned: false };
  });
}
