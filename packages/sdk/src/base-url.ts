const versionPrefix = '/api/v1';

/** The URL that paths are appended to: with the version prefix and without a trailing slash. */
export function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be a URL that starts with http:// or https://');
  }
  // The message does not quote the URL, because it contains a password.
  if (url.username || url.password) throw new TypeError('baseUrl must not contain a user name or password');
  if (/[?#]/.test(baseUrl)) throw new TypeError('baseUrl must not contain a query or a fragment');
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(versionPrefix) ? path : path + versionPrefix);
}
