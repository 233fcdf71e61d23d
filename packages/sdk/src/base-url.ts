const versionPrefix = '/api/v1';

/** The address that paths are put after: with the version prefix, without a slash at its end. */
export function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an address that begins with http:// or https://');
  }
  // Not shown: an address like this holds a password.
  if (url.username || url.password) throw new TypeError('baseUrl must not hold a user name or a password');
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(versionPrefix) ? path : path + versionPrefix);
}
