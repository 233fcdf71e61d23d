/** Adds session settings to the URL, as `-c name=value` options after those that it has. */
export function addSessionSettings(url: string, settings: Record<string, string | number>): string {
  const result = new URL(url);
  const added = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const options = [result.searchParams.get('options') ?? '', ...added].join(' ').trim();
  result.searchParams.set('options', options);
  // pg does not decode a plus to a space.
  result.search = result.search.replaceAll('+', '%20');
  return result.toString();
}

/** Returns the user of a connection URL, or '' when it names none. */
export function readUser(url: string): string {
  const parsed = new URL(url);
  return decodeURIComponent(parsed.username || parsed.searchParams.get('user') || '');
}

/** Returns host, port and database of a connection URL, without user and password, for messages. */
export function describeAddress(url: string): string {
  const parsed = new URL(url);
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return `${host}${parsed.port ? `:${parsed.port}` : ''}${parsed.pathname}`;
}
