/**
 * Fills the parameters of a path template with encoded values. Rejects an id that is empty or consists of dots, because the
 * resulting path would be that of another operation.
 */
export function fillPath(template: string, values: readonly string[] = []): string {
  const left = [...values];
  return template.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => encodeSegment(name, left.shift()));
}

function encodeSegment(name: string, value: string | undefined): string {
  // JavaScript callers may pass anything.
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must not be empty`);
  return encodeURIComponent(value);
}
