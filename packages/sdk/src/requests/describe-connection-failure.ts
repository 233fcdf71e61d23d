import { explainFailureCode } from '#explain-failure-code';

/**
 * The message for a request that got no response. Browsers report every cause as the same `TypeError`, for the protection of
 * other sites, so the message lists what it may be.
 */
export function describeConnectionFailure(
  baseUrl: string,
  error: unknown,
  pageOrigin: string | null,
): string {
  const { origin } = new URL(baseUrl);
  if (pageOrigin === null || pageOrigin === origin)
    return `The connection to ${origin} failed${causeOf(error)}`;
  if (isMixedContent(baseUrl, pageOrigin)) {
    return `The browser blocks requests from ${pageOrigin} to ${origin}: a page on https can only call https (mixed content)`;
  }
  return (
    `The browser reports no response from ${origin}. Either the service cannot be reached at this address, or it does not ` +
    `allow this page to call it: its CORS_ORIGINS must contain ${pageOrigin}`
  );
}

/** Browsers trust loopback addresses without https. */
function isMixedContent(baseUrl: string, pageOrigin: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(hostname);
  return pageOrigin.startsWith('https:') && protocol === 'http:' && !isLoopback;
}

/** Node describes the cause in `error.cause`. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== 'object' || cause === null) return '';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const reason = explainFailureCode(code) ?? (cause instanceof Error ? cause.message : '');
  const parts = [reason, reason.includes(code) ? '' : reason ? `(${code})` : code].filter(Boolean);
  return parts.length === 0 ? '' : `: ${parts.join(' ')}`;
}
