/** The sentence of a 401 that says why a credential was not accepted. Null for any other response. */
export function readReason(text: string): string | null {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return typeof reason === 'string' ? reason : null;
  } catch {
    return null;
  }
}
