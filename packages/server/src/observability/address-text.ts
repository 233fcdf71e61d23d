const addressPattern = /^[0-9A-Fa-f:.]{2,45}$/;

/**
 * The IP address of a caller as a log line may contain it. Behind a proxy it comes from a header, in which a caller can put any
 * text, so everything else becomes `unknown`.
 */
export function addressText(address: string | undefined): string {
  return address !== undefined && addressPattern.test(address) ? address : 'unknown';
}
