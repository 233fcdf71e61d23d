import { entriesAt, isJsonObject, type JsonObject, textAt } from './json-value.ts';
import type { ReferenceDocument, SecurityRequirement } from './openapi-document.ts';
import type { SecurityScheme } from './reference.ts';
import { resolveReference } from './resolve-reference.ts';

/** Every way to send a credential that the document names. */
export function readSchemes(document: ReferenceDocument): SecurityScheme[] {
  return entriesAt(document.components, 'securitySchemes').map(([name, value]) => {
    const scheme = resolveReference(value, document);
    return {
      label: schemeLabel(name, scheme),
      place: schemePlace(scheme),
      description: textAt(scheme, 'description'),
    };
  });
}

/** The alternatives that an operation accepts: its own, or else those of the document. */
export function readSecurity(operation: JsonObject, document: ReferenceDocument): SecurityRequirement[] {
  const own = Array.isArray(operation.security) ? operation.security : document.security;
  return (own ?? []).filter(isJsonObject) as SecurityRequirement[];
}

const none = 'no credential';

/** The alternatives in words; null where no credential is needed. */
export function accessInWords(
  requirements: readonly SecurityRequirement[],
  document: ReferenceDocument,
): string | null {
  const alternatives = requirements.map((requirement) => {
    const labels = Object.keys(requirement).map((name) =>
      schemeLabel(name, resolveReference(securityScheme(name, document), document)),
    );
    return labels.join(' and ') || none;
  });
  return alternatives.every((words) => words === none) ? null : alternatives.join(' or ');
}

/** The headers that carry the credentials of the first alternative, with shell variables for the secrets. */
export function credentialHeaders(
  requirements: readonly SecurityRequirement[],
  document: ReferenceDocument,
): string[] {
  return Object.keys(requirements[0] ?? {}).flatMap((name) => {
    const scheme = resolveReference(securityScheme(name, document), document);
    const variable = `$${shellVariable(name)}`;
    switch (textAt(scheme, 'type')) {
      case 'apiKey':
        if (textAt(scheme, 'in') === 'cookie') return [`cookie: ${textAt(scheme, 'name')}=${variable}`];
        return textAt(scheme, 'in') === 'header' ? [`${textAt(scheme, 'name')}: ${variable}`] : [];
      case 'http':
        return [`authorization: ${capitalise(textAt(scheme, 'scheme'))} ${variable}`];
      case 'oauth2':
      case 'openIdConnect':
        return [`authorization: Bearer ${variable}`];
      default:
        return [];
    }
  });
}

/** `orderId` becomes `ORDER_ID`: a variable that the reader sets. */
export function shellVariable(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.replaceAll(/\W+/g, '_').toUpperCase();
}

function securityScheme(name: string, document: ReferenceDocument): unknown {
  return entriesAt(document.components, 'securitySchemes').find(([other]) => other === name)?.[1];
}

/** How a credential is called. */
function schemeLabel(name: string, scheme: unknown): string {
  const display = textAt(scheme, 'x-displayName');
  if (display) return display;
  switch (textAt(scheme, 'type')) {
    case 'apiKey':
      return `\`${textAt(scheme, 'name')}\``;
    case 'http': {
      const kind = textAt(scheme, 'scheme').toLowerCase();
      if (kind !== 'bearer') return `HTTP ${capitalise(kind)} authentication`;
      const format = textAt(scheme, 'bearerFormat');
      return format ? `Bearer token (${format})` : 'Bearer token';
    }
    case 'oauth2':
      return 'OAuth 2.0 token';
    case 'openIdConnect':
      return 'OpenID Connect token';
    case 'mutualTLS':
      return 'Client certificate';
    default:
      return name;
  }
}

/** Where a credential is sent. */
function schemePlace(scheme: unknown): string {
  const place = textAt(scheme, 'in');
  if (textAt(scheme, 'type') === 'apiKey') return place === 'query' ? 'query parameter' : place;
  return /^(http|oauth2|openIdConnect)$/.test(textAt(scheme, 'type')) ? '`authorization` header' : '';
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
