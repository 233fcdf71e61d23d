/** One word of a shell command, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : singleQuoted(text);
}

/** Text that the shell leaves alone, whatever is in it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// Longer bodies are easier to read on several lines.
const longestCompactBody = 48;

/** JSON to be put between single quotes: on one line where it is short. */
export function jsonForShell(value: unknown): string {
  const compact = JSON.stringify(value);
  return compact.length <= longestCompactBody ? compact : JSON.stringify(value, null, 2);
}
