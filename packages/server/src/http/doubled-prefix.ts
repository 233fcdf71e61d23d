import { versionPrefix } from '../version-prefix.ts';

const doubled = `${versionPrefix}${versionPrefix}/`;

/** `/api/v1/api/v1/x`, the address that the specification writes out, is `/api/v1/x`. */
export function undoublePrefix(url: string): string {
  return url.startsWith(doubled) ? url.slice(versionPrefix.length) : url;
}
