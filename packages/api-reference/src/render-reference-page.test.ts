import type { OpenApiDocument } from '@keyfront/api-reference';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { describeService } from '../../server/src/openapi/describe-service.ts';
import type { Operation } from '../../server/src/pipeline/router.ts';
import { renderReferencePage } from './render-reference-page.ts';

const hostile = `"'><img src=x onerror=alert(1)></style></pre><script>alert(1)</script>\${x}&lt;`;

const client = Type.Object({
  id: Type.String({ format: 'uuid' }),
  shipping: Type.Union([Type.Object({ city: Type.String() }), Type.Null()]),
});

const operations: Operation[] = [
  {
    method: 'GET',
    path: '/dapp/clients',
    access: 'credential',
    id: 'listClients',
    tag: 'Clients',
    summary: 'List clients',
    query: Type.Object({ take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 10 })) }),
    answer: Type.Object({ clients: Type.Array(client) }),
    example: { clients: [{ id: '019a', shipping: null }] },
  },
  {
    method: 'POST',
    path: '/dapp/clients',
    access: 'jwt',
    id: 'createClient',
    tag: 'Clients',
    summary: 'Add a client',
    description: 'Its `email` is unique.',
    status: 201,
    body: Type.Object({ email: Type.String({ format: 'email' }) }),
    answer: client,
    example: { id: '019a', shipping: { city: 'Porto' } },
  },
  {
    method: 'GET',
    path: '/public/healthStatus',
    access: 'public',
    id: 'getHealthStatus',
    tag: 'Service',
    summary: 'Ask whether it runs',
    answer: Type.Literal('Success'),
    example: 'Success',
  },
];

const baseUrl = 'https://api.example/api/v1';
const stagingUrl = 'https://staging.example/api/v1';

function describeOperations(described: readonly Operation[]): OpenApiDocument {
  return describeService({ operations: described, baseUrl, stagingUrl });
}

/** A document in which every text that could hold markup does. */
function hostileDocument(): OpenApiDocument {
  const field = Type.String({
    description: hostile,
    default: hostile,
    examples: [hostile],
    pattern: hostile,
  });
  const fields = Type.Object(
    { [hostile]: field, choice: Type.Enum([hostile, 'other']) },
    { description: hostile },
  );
  const document = describeOperations([
    {
      method: 'POST',
      path: `/x/${hostile}`,
      access: 'credential',
      id: hostile,
      tag: hostile,
      summary: hostile,
      description: hostile,
      query: fields,
      body: fields,
      answer: Type.Object({ [hostile]: Type.Array(fields) }),
      example: { [hostile]: hostile },
    },
  ]);
  return {
    ...document,
    info: { title: hostile, version: hostile, summary: hostile, description: hostile },
    servers: [{ url: hostile, description: hostile }],
    tags: [{ name: hostile, description: hostile }],
  };
}

const voidElements = new Set(['meta', 'wbr', 'br', 'hr', 'img', 'link', 'input']);

/** The elements that are opened and not closed in order; empty when the page is well-formed. */
function misnested(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)(?:\s+[a-z-]+(?:="[^"<>]*")?)*>/g,
  )) {
    if (voidElements.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

function expectWellFormed(page: string): void {
  expect(misnested(page)).toEqual([]);
  const withoutTags = page
    .replace('<!doctype html>', '')
    .replaceAll(/<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"<>]*")?)*>/g, '');
  expect(withoutTags).not.toContain('<');
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
}

function expectSelfContained(page: string): void {
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i);
  const withoutValues = page.replaceAll(/="[^"]*"/g, '=""');
  expect(withoutValues).not.toMatch(/<[^>]*\s(src|srcset|style|on\w+)=/i);
  expect(page).not.toMatch(/<style>[^<]*(@import|url\()/i);
  expect(page).not.toMatch(/href="(?!#|\/api\/v1\/openapi\.json")/);
}

describe('reference page', () => {
  const page = renderReferencePage(describeOperations(operations));

  it('has a section and a link in the navigation for every operation', () => {
    const sidebar = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
    for (const { id, summary } of operations) {
      expect(page).toContain(`<section class="operation" id="${id}"`);
      expect(sidebar).toContain(`<a href="#${id}"><span>${summary}</span>`);
    }
  });

  it('has only links that lead somewhere', () => {
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(page).toContain(` id="${target}"`);
  });

  it('says who may call', () => {
    expect(page).toContain('Signed request or JWT</p>');
    expect(page).toContain('</span>JWT</p>');
    expect(page).toContain('Open to everybody</p>');
  });

  it('shows parameters, body, answer, example and errors', () => {
    expect(page).toContain('<code>1 … 1000</code>');
    expect(page).toContain('string, e-mail address');
    expect(page).toContain('<span class="parent">clients[].<wbr></span>shipping');
    expect(page).toContain('object or null');
    expect(page).toContain(
      '<span class="json-name">&quot;city&quot;</span>: <span class="json-string">&quot;Porto&quot;',
    );
    expect(page).toContain('<code>413</code></th>\n<td>The body is larger than 1 MiB</td>');
    expect(page).toContain('Its <code>email</code> is unique.');
    expect(page).toContain('-H &quot;x-auth-apikey: <span class="variable">$API_KEY</span>&quot;');
  });

  it('names the addresses and the description for machines', () => {
    expect(page).toContain(`<code>${baseUrl}</code>`);
    expect(page).toContain(`<code>${stagingUrl}</code>`);
    expect(page).toContain('href="/api/v1/openapi.json"');
  });

  it('has its headings in order', () => {
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.reduce((previous, level) => {
      expect(level - previous).toBeLessThanOrEqual(1);
      return level;
    }, 0);
  });

  it('is well-formed and loads nothing', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expectWellFormed(page);
    expectSelfContained(page);
  });

  it('does not let the text of a document become markup', () => {
    const hostilePage = renderReferencePage(hostileDocument());
    expectWellFormed(hostilePage);
    expectSelfContained(hostilePage);
    expect(hostilePage).not.toContain('<img');
    expect(hostilePage).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('stays well formed with very many operations', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      operations.map((one) => ({
        ...one,
        id: `${one.id}${index}`,
        path: `${one.path}/${index}`,
      })),
    ).flat();
    const large = renderReferencePage(describeOperations(many));
    expect(large.match(/<section class="operation"/g)).toHaveLength(many.length);
    expectWellFormed(large);
  });

  it('renders a document without operations', () => {
    expectWellFormed(renderReferencePage(describeOperations([])));
  });
});
