import { shellVariable } from './addresses.ts';
import { textAt } from './json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';

/** Who may call, in words. */
export function accessInWords({ security }: OpenApiOperation): string {
  if (security.length === 0) return 'Open to everybody';
  return sentenceCase(
    security.map((alternative) => alternativeInWords(Object.keys(alternative))).join(' or '),
  );
}

function alternativeInWords(schemes: readonly string[]): string {
  if (schemes.includes('signature')) return 'signed request';
  return schemes.map((scheme) => (scheme === 'jwt' ? 'JWT' : scheme)).join(' with ') || 'no credential';
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The headers of the first way to call, with variables of the shell for the secrets. */
export function credentialHeaders(document: OpenApiDocument, { security }: OpenApiOperation): string[] {
  return Object.keys(security[0] ?? {}).map((scheme) => {
    const header = textAt(document.components, 'securitySchemes', scheme, 'name');
    return header
      ? `${header}: $${shellVariable(scheme)}`
      : `authorization: Bearer $${shellVariable(scheme)}`;
  });
}
