/** Where the visitor wanted to go. Only a path of the console: a link must not lead elsewhere after the sign-in. */
export function readReturnPath({ from }: Record<string, unknown>): { from?: string } {
  // Browsers take a backslash for a slash, and skip control characters.
  return typeof from === 'string' && /^\/(?![/\\])\P{Cc}*$/u.test(from) ? { from } : {};
}
