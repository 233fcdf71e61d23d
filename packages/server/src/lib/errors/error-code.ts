/** Returns the `code` of an error of Node, a driver or a framework, such as `ENOENT` or `23505`; null when it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
