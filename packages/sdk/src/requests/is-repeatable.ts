/**
 * Whether a request may be sent again when nobody knows what became of it. A POST has its idempotency key, and other
 * changes set values; only a change of stock by an amount would count twice.
 */
export function isRepeatable(method: string, body: Uint8Array | null): boolean {
  return method !== 'PATCH' || !body || !new TextDecoder().decode(body).includes('"stockChange"');
}
