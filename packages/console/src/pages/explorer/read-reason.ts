/** The sentence of a `WWW-Authenticate` header that says why a credential was not accepted. Null if there is none. */
export function readReason(wwwAuthenticate: string | null): string | null {
  const [, quoted] = /error_description="((?:[^"\\]|\\.)*)"/.exec(wwwAuthenticate ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? null;
}
