import { type Operation, tags } from '@keyfront/protocol';
import { handWritten } from './hand-written.ts';
import type { NamedSchemas } from './named-schemas.ts';
import type { OperationGroup } from './operation-groups.ts';
import { writeComment } from './write-comment.ts';
import { writeMethod } from './write-method.ts';

/** Writes `resources.ts`: a class for each group of operations. */
export function writeResources(
  groups: readonly OperationGroup[],
  { models, queries }: NamedSchemas,
  exportNames: ReadonlyMap<unknown, string>,
): string {
  const classes = groups.map((group) => writeClass(group, exportNames)).join('\n');
  const types = [...models.keys(), ...queries.keys()]
    .filter((name) => new RegExp(`\\b(?<!\`)${name}\\b`).test(classes))
    .toSorted();
  return `import type { CallOptions } from '../call-options.ts';
import type { OperationClient } from '../operation-client.ts';
import type { PageList } from '../paging/page-list.ts';
import { Resource } from '../resources/resource.ts';
import { operations } from './operations.ts';
import type {
${types.map((name) => `  ${name},\n`).join('')}} from './types.ts';

${classes}`;
}

/** Writes `client-resources.ts`: all groups together. */
export function writeClientResources(groups: readonly OperationGroup[]): string {
  const generated = groups.filter((group) => !isHandWritten(group)).map(({ className }) => className);
  const ownFiles = groups
    .filter(isHandWritten)
    .map(({ name, className }) => `import { ${className} } from '../resources/${name}-resource.ts';\n`);
  return `import type { OperationClient } from '../operation-client.ts';
${ownFiles.join('')}import {
${generated.map((name) => `  ${name},\n`).join('')}} from './resources.ts';

/** The operations of the API by group. */
export class ClientResources {
${writeFields(groups)}
  constructor(client: OperationClient) {
${writeAssignments(groups)}  }
}
`;
}

function writeClass(group: OperationGroup, exportNames: ReadonlyMap<unknown, string>): string {
  const { path, className, methods, groups } = group;
  const own = handWritten[path] ?? [];
  const missing = own.find((method) => !methods.has(method));
  if (missing !== undefined) throw new Error(`There is no operation ${path}.${missing} to write by hand`);
  const written = [...methods]
    .filter(([method]) => !own.includes(method))
    .map(([method, operation]) => writeMethod(method, operation, exportNames));
  const base = isHandWritten(group) ? `abstract class Generated${className}` : `class ${className}`;
  const inner = groups.map((each) => `${writeClass(each, exportNames)}\n`).join('');
  const ownConstructor =
    groups.length === 0
      ? ''
      : `${writeFields(groups)}
  constructor(client: OperationClient) {
    super(client);
${writeAssignments(groups)}  }
${written.length > 0 ? '\n' : ''}`;
  return `${inner}${writeComment([describeGroup(group)])}export ${base} extends Resource {
${ownConstructor}${written.join('\n')}}
`;
}

function writeFields(groups: readonly OperationGroup[]): string {
  return groups
    .map(
      (group) =>
        `${writeComment([describeGroup(group)], '  ')}  readonly ${group.name}: ${group.className};\n`,
    )
    .join('');
}

function writeAssignments(groups: readonly OperationGroup[]): string {
  return groups.map(({ name, className }) => `    this.${name} = new ${className}(client);\n`).join('');
}

function isHandWritten({ path }: OperationGroup): boolean {
  return Object.hasOwn(handWritten, path);
}

/** The path of an inner group; for others, what the API reference says about the section of the operations. */
function describeGroup(group: OperationGroup): string {
  const [operation] = listOperations(group);
  if (group.path !== group.name || !operation) return `Operations of \`${group.path}\``;
  return tags[operation.tag];
}

function listOperations({ methods, groups }: OperationGroup): Operation[] {
  return [...methods.values(), ...groups.flatMap(listOperations)];
}
