/** The code that systems, drivers and frameworks give to their errors: `ENOENT`, `23505`; null where there is none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
