/** A path of the shop. Anything else would let a link lead customers to a page that only looks like the shop. */
export function localPath(path: FormDataEntryValue | null, otherwise = '/'): string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : otherwise;
}
