import type { OpenApiDocument } from './openapi-document.ts';

const versionPrefix = '/api/v1';

/** The whole address of a path. Server address and paths both carry the prefix; once is enough for people. */
export function addressOf(document: OpenApiDocument, path: string): string {
  const base = document.servers[0]?.url.replace(/\/+$/, '') ?? '';
  const isDoubled = base.endsWith(versionPrefix) && path.startsWith(`${versionPrefix}/`);
  return (isDoubled ? base.slice(0, -versionPrefix.length) : base) + path;
}

/** A link to a place on the page. The identifier may hold anything. */
export function anchorTo(id: string): string {
  return `#${encodeURIComponent(id)}`;
}

/** `strainId` is `STRAIN_ID`: a variable of the shell that the reader fills in. */
export function shellVariable(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.replaceAll(/\W+/g, '_').toUpperCase();
}
