/**
 * The URL of the guide that explains an error. The service that was called serves the guides itself. Null if they may be
 * elsewhere: the base path may be wrong if there is no such route below it.
 */
export function docsUrlFor(
  baseUrl: string,
  { status, code }: { readonly status: number | null; readonly code: string | null },
): string | null {
  const root = baseUrl.replace(/(?:\/api\/v1)+$/, '');
  if (code === 'ROUTE_NOT_FOUND' && root !== new URL(root).origin) return null;
  const guides = `${root}/docs/guides`;
  if (status === 401) return `${guides}/signing`;
  return `${guides}/errors${code === null ? '' : `#${encodeURIComponent(code)}`}`;
}
