import { readFileSync } from 'node:fs';
import type { Operation } from '@keyfront/protocol';
import * as protocol from '@keyfront/protocol';
import { collectNamedSchemas } from './named-schemas.ts';
import { groupOperations, hasMethod } from './operation-groups.ts';
import { writeCatalogue } from './write-catalogue.ts';
import { writeErrorCodes } from './write-error-codes.ts';
import { writeEvents } from './write-events.ts';
import { writeOperations } from './write-operations.ts';
import { writeClientResources, writeResources } from './write-resources.ts';
import { writeTypes } from './write-types.ts';

const header = `// Generated from the operation table of @keyfront/protocol by @keyfront/sdk-generator. Do not edit: \`npm run build\`
// writes this file again.

`;

const protocolFolder = new URL('../../protocol/src/', import.meta.url);
/** Files of the protocol that the SDK contains as they are, because it depends on no other package. */
const copiedFiles = [
  'bound-signature.ts',
  'canonical-payload.ts',
  'key-proof.ts',
  'signature-issues.ts',
  'signing-mistakes.ts',
];

/** The generated files of the SDK, by name. The same operations always give the same text. */
export function generateSdk(all: readonly Operation[] = protocol.operationList): ReadonlyMap<string, string> {
  const operations = all.filter(hasMethod);
  const exportNames = new Map<unknown, string>(
    Object.entries(protocol).map(([name, value]) => [value, name]),
  );
  const schemas = collectNamedSchemas(operations, exportNames);
  const groups = groupOperations(operations);
  const files = {
    'types.ts': writeTypes(schemas),
    'operations.ts': writeOperations(operations),
    'resources.ts': writeResources(groups, schemas, exportNames),
    'client-resources.ts': writeClientResources(groups),
    'catalogue.ts': writeCatalogue(operations),
    'events.ts': writeEvents(protocol.eventTable),
    'error-codes.ts': writeErrorCodes(protocol.errorCodes),
    ...Object.fromEntries(copiedFiles.map((name) => [name, readProtocolFile(name)])),
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, header + text]));
}

function readProtocolFile(name: string): string {
  const text = readFileSync(new URL(name, protocolFolder), 'utf8');
  for (const [, imported = ''] of text.matchAll(/^import\b[^;]* from '(?:\.\/)?([^']+)'/gm)) {
    if (!copiedFiles.includes(imported))
      throw new Error(`${name} must not import ${imported}: the SDK copies it`);
  }
  return text;
}
