import type { Operation } from '@keyfront/protocol';
import { versionPrefix } from '../../lib/request/version-prefix.ts';

/** The headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` of a deprecated operation. */
export function deprecationHeaders({
  since,
  sunset,
  successor,
}: NonNullable<Operation['deprecated']>): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset && { sunset: new Date(sunset).toUTCString() }),
    ...(successor && { link: `<${versionPrefix}${successor}>; rel="successor-version"` }),
  };
}
