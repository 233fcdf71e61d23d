/** Returns the `code` of an error of the system or of PostgreSQL, such as `ENOENT` or `28P01`; null when it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
