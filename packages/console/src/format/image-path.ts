/**
 * The path of an image that this service holds. The console loads images from its own host only, whatever address the service
 * is known by elsewhere. Null for an image of another host.
 */
export function imagePath(imageUrl: string | null): string | null {
  if (imageUrl === null || !URL.canParse(imageUrl, window.location.origin)) return null;
  const { pathname } = new URL(imageUrl, window.location.origin);
  const start = pathname.indexOf('/images/');
  return start === -1 ? null : pathname.slice(start);
}
