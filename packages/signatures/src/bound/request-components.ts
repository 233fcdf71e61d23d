/** The parts of a request that a signature may cover, as the caller sees them. */
export interface RequestAddress {
  readonly scheme: string;
  /** Host and port, in lower case and without the default port of the scheme. */
  readonly authority: string;
  /** Encoded, as it was sent. */
  readonly path: string;
  /** As it was sent, without the `?`; null if there is no `?`. */
  readonly query: string | null;
}

/** The whole URL of a request. */
export function urlOf({ scheme, authority, path, query }: RequestAddress): string {
  return `${scheme}://${authority}${path}${query === null ? '' : `?${query}`}`;
}

/** The value of a component (RFC 9421, section 2). Null for a header that the request does not have. */
export function readComponent(
  name: string,
  method: string,
  address: RequestAddress,
  rawHeaders: readonly string[],
): string | null {
  const { scheme, authority, path, query } = address;
  switch (name) {
    case '@method':
      return method;
    case '@target-uri':
      return urlOf(address);
    case '@authority':
      return authority;
    case '@scheme':
      return scheme;
    case '@request-target':
      return path + (query === null ? '' : `?${query}`);
    case '@path':
      return path;
    case '@query':
      return `?${query ?? ''}`;
    default:
      return fieldValueOf(name, rawHeaders);
  }
}

/** All values of a header, joined. Not those that Node has parsed: of some headers it keeps only the first. */
function fieldValueOf(name: string, rawHeaders: readonly string[]): string | null {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(trimBlanks(rawHeaders[at + 1] ?? ''));
  }
  return values.length === 0 ? null : values.join(', ');
}

/**
 * Removes spaces and tabs around a value. `trim` would also remove others, such as a no-break space, which are part of
 * the value.
 */
function trimBlanks(value: string): string {
  const isBlank = (at: number) => value[at] === ' ' || value[at] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return value.slice(start, end);
}
