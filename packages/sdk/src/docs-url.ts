/** The URL of the guide that explains an error. The service that was called serves the guides itself. */
export function docsUrlFor(
  baseUrl: string,
  { status, code }: { readonly status: number | null; readonly code: string | null },
): string {
  const guides = `${baseUrl.replace(/(?:\/api\/v1)+$/, '')}/docs/guides`;
  if (status === 401) return `${guides}/signing`;
  return `${guides}/errors${code === null ? '' : `#${encodeURIComponent(code)}`}`;
}
