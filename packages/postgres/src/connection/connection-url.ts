/** Which servers of a connection URL may be used, as in libpq. A URL cannot ask for `standby`: that is for replicas. */
export type TargetSession = 'any' | 'read-write' | 'primary' | 'standby';

/** The servers of a connection URL. */
export interface DatabaseServers {
  /** A URL for each server, in the order in which they are tried. */
  readonly urls: readonly [string, ...string[]];
  readonly target: TargetSession;
}

const targetParameter = 'target_session_attrs';
const targets: ReadonlySet<string> = new Set<TargetSession>(['any', 'read-write', 'primary']);

/**
 * Splits a connection URL such as `postgres://user@first:5432,second:5432/name?target_session_attrs=read-write` into a URL
 * for each server, because pg connects to a single one. With several servers, only the one that accepts writes is used
 * unless the URL says otherwise. Throws a `TypeError` if the URL is invalid.
 */
export function parseServers(url: string): DatabaseServers {
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(url);
  if (!match) throw new TypeError('Not a connection URL of PostgreSQL');
  const [, scheme = '', authority = '', rest = ''] = match;
  const hostsAt = authority.lastIndexOf('@') + 1;
  const credentials = authority.slice(0, hostsAt);
  const [first = '', ...others] = authority.slice(hostsAt).split(',');
  const parse = (host: string) => new URL(`${scheme}${credentials}${host}${rest}`);
  const given = parse(first).searchParams.get(targetParameter);
  const target = given ?? (others.length > 0 ? 'read-write' : 'any');
  if (!targets.has(target)) throw new TypeError(`Unknown ${targetParameter}`);
  const toUrl = (host: string): string => {
    const parsed = parse(host);
    if (!parsed.searchParams.has(targetParameter)) return parsed.toString();
    parsed.searchParams.delete(targetParameter);
    return encodeSpaces(parsed).toString();
  };
  return { urls: [toUrl(first), ...others.map(toUrl)], target: target as TargetSession };
}

/** Adds session settings to the URL of a server, as `-c name=value` options after those that it has. */
export function addSessionSettings(url: string, settings: Record<string, string | number>): string {
  const result = new URL(url);
  const added = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`,
  );
  const options = [result.searchParams.get('options') ?? '', ...added].join(' ').trim();
  result.searchParams.set('options', options);
  return encodeSpaces(result).toString();
}

/** pg does not decode a plus to a space. */
function encodeSpaces(url: URL): URL {
  url.search = url.search.replaceAll('+', '%20');
  return url;
}

/** Returns the user of a connection URL, or '' when it names none. */
export function readUser(url: string): string {
  const parsed = new URL(parseServers(url).urls[0]);
  return decodeURIComponent(parsed.username || parsed.searchParams.get('user') || '');
}

/** Returns hosts, ports and database of a connection URL, without user and password, for messages. */
export function describeAddress(url: string): string {
  const { urls } = parseServers(url);
  const hosts = urls.map((each) => describeServer(each));
  return `${hosts.join(',')}${new URL(urls[0]).pathname}`;
}

/** Returns host and port of the URL of a server, for messages. */
export function describeServer(url: string): string {
  const parsed = new URL(url);
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return `${host}${parsed.port ? `:${parsed.port}` : ''}`;
}
