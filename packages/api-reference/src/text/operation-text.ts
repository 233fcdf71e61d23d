import { jsonText } from '../html/code-panel.ts';
import type { Operation, Response } from '../openapi/reference.ts';
import type { Field, FieldGroup } from '../openapi/schema-fields.ts';
import type { Fact } from '../openapi/schema-words.ts';

/** One operation in Markdown: everything that its page shows. */
export function operationText(operation: Operation): string {
  const { title, method, path, isWebhook, isDeprecated, access, description, parameters, body, responses } =
    operation;
  return blocks(
    `# ${title}`,
    `\`${method} ${path}\`${isDeprecated ? ' (deprecated)' : ''}`,
    isWebhook ? 'Sent by the service to your endpoint.' : `Authentication: ${access ?? 'none'}`,
    plainLinks(description),
    ...parameters.flatMap(({ place, fields }) => [
      `## ${place.charAt(0).toUpperCase()}${place.slice(1)} parameters`,
      fieldLines(fields, 'input'),
    ]),
    ...(body
      ? [
          `## Body (${body.contentType}${body.isRequired ? '' : ', optional'})`,
          plainLinks(body.description),
          factWords(body.facts).join(', '),
          fieldLines(body.fields, 'input'),
        ]
      : []),
    ...operation.samples.flatMap(({ label, language, source }, index) => [
      index === 0 ? '## Samples' : '',
      `### ${label}`,
      fence(languageOf(language), source),
    ]),
    ...responses.filter(({ isSuccess }) => isSuccess).flatMap(responseBlocks),
    ...errorBlocks(responses),
  );
}

/** Joins pieces of Markdown by empty lines. Pieces without text are left out. */
export function blocks(...pieces: readonly string[]): string {
  return `${pieces
    .map((piece) => piece.trim())
    .filter(Boolean)
    .join('\n\n')}\n`;
}

function responseBlocks({ status, description, fields, examples, otherContentTypes }: Response): string[] {
  return [
    `## Response ${status}`,
    `${description}${otherContentTypes.map((type) => ` Also available as \`${type}\`.`).join('')}`,
    fieldLines(fields, 'output'),
    ...examples.flatMap(({ summary, value }) => [summary, fence('json', jsonText(value))]),
  ];
}

function errorBlocks(responses: readonly Response[]): string[] {
  const errors = responses.filter(({ isSuccess }) => !isSuccess);
  if (errors.length === 0) return [];
  const lines = errors.flatMap(({ status, description, examples }) => [
    `- ${status}: ${oneLine(description)}`,
    ...examples
      .filter(({ name }) => name !== '')
      .map(({ name, summary }) => `  - \`${name}\`: ${oneLine(summary)}`),
  ]);
  return ['## Errors', lines.join('\n')];
}

function fieldLines(fields: readonly Field[], direction: 'input' | 'output', indent = ''): string {
  return fields
    .flatMap((field) => [
      indent + fieldLine(field, direction),
      ...field.groups.flatMap((group) => groupLines(group, direction, `${indent}  `)),
    ])
    .join('\n');
}

function groupLines(
  { name, fields }: FieldGroup,
  direction: 'input' | 'output',
  indent: string,
): readonly string[] {
  if (!name) return [fieldLines(fields, direction, indent)];
  return [`${indent}- ${name}:`, fieldLines(fields, direction, `${indent}  `)];
}

function fieldLine(field: Field, direction: 'input' | 'output'): string {
  const { name, type, isRequired, isDeprecated, description, allowed, facts, example } = field;
  const presence = direction === 'input' ? (isRequired ? 'required' : 'optional') : '';
  const absence = direction === 'output' && !isRequired ? 'may be absent' : '';
  const words = [type, presence, absence, isDeprecated ? 'deprecated' : ''].filter(Boolean).join(', ');
  const rules = [
    ...(allowed.length > 0 ? [`one of ${allowed.map((value) => `\`${value}\``).join(', ')}`] : []),
    ...factWords(facts),
    ...(direction === 'input' && example !== null ? [`for example \`${example}\``] : []),
  ].join(', ');
  const about = [oneLine(description), rules].filter(Boolean).join(' — ');
  return `- \`${name}\` (${words})${about ? `: ${about}` : ''}`;
}

function factWords(facts: readonly Fact[]): string[] {
  return facts.map(({ label, value }) => [label, value && `\`${value}\``].filter(Boolean).join(' '));
}

function fence(language: string, source: string): string {
  // Longer than any fence inside.
  const longest = Math.max(2, ...[...source.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${source}\n${ticks}`;
}

const languages: Readonly<Record<string, string>> = { shell: 'bash', cli: 'bash', typescript: 'ts' };

function languageOf(language: string): string {
  const name = language.toLowerCase();
  return languages[name] ?? name;
}

/** A description on one line. */
export function oneLine(description: string): string {
  return plainLinks(description).trim().replaceAll(/\s+/g, ' ');
}

/** Relative links of a description lead nowhere, so their text is left. */
export function plainLinks(description: string): string {
  return description.replaceAll(/\[([^\]]+)\]\((?!https?:|mailto:|#)[^)\s]+\)/g, '$1');
}
