import { versionPrefix } from '../../lib/request/version-prefix.ts';

/** What the documentation is rendered with, before the service knows its addresses. No real host has such a name (RFC 6761). */
export const placeholders = {
  root: 'https://keyfront.invalid',
  baseUrl: `https://keyfront.invalid${versionPrefix}`,
  stagingUrl: 'https://staging.keyfront.invalid',
};

export interface Addresses {
  /** The base URL as callers reach it, with the version prefix. */
  readonly baseUrl: string;
  readonly stagingUrl: string | null;
}

/** Puts the addresses of the service in the place of placeholders. */
export function insertAddresses(text: string, { baseUrl, stagingUrl }: Addresses): string {
  const root = baseUrl.slice(0, -versionPrefix.length);
  return replaceStaging(text, stagingUrl).replaceAll(placeholders.root, plain(root));
}

/** Without a staging environment, the lines that name it are left out, and so is its object in JSON. */
function replaceStaging(text: string, stagingUrl: string | null): string {
  if (stagingUrl !== null) return text.replaceAll(placeholders.stagingUrl, plain(stagingUrl));
  return text
    .replaceAll(new RegExp(`,\\{"url":"${placeholders.stagingUrl}"[^}]*\\}`, 'g'), '')
    .replaceAll(new RegExp(`^.*${placeholders.stagingUrl}.*\\n`, 'gm'), '');
}

/** What means something to HTML, JSON, Markdown or a shell is percent-encoded. */
function plain(url: string): string {
  return url.replaceAll(/[^\w.~:/%[\]-]/gu, (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
  });
}
