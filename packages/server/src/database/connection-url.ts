/** The URL with `-c name=value` session settings added to whatever options it has already. */
export function withSessionSettings(url: string, settings: Record<string, string | number>): string {
  const result = new URL(url);
  const added = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const options = [result.searchParams.get('options') ?? '', ...added].join(' ').trim();
  result.searchParams.set('options', options);
  // pg decodes by the rules of URIs, in which a plus is a plus.
  result.search = result.search.replaceAll('+', '%20');
  return result.toString();
}

/** The user a connection URL logs in as. */
export function loginOf(url: string): string {
  const parsed = new URL(url);
  return decodeURIComponent(parsed.username || parsed.searchParams.get('user') || '');
}

/** The same address without the password: for messages. */
export function addressOf(url: string): string {
  const parsed = new URL(url);
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return `${host}${parsed.port ? `:${parsed.port}` : ''}${parsed.pathname}`;
}
