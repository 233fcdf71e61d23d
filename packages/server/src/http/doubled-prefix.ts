import { versionPrefix } from '../version-prefix.ts';

const doubled = `${versionPrefix}${versionPrefix}/`;

/** Maps `/api/v1/api/v1/x`, the form that the specification spells out, to `/api/v1/x`. */
export function removeDoubledPrefix(url: string): string {
  return url.startsWith(doubled) ? url.slice(versionPrefix.length) : url;
}
