/** Writes a value as source code with single quotes. */
export function writeLiteral(value: unknown): string {
  if (typeof value === 'string') {
    const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
    return `'${escaped}'`;
  }
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.length === 0
    ? '{}'
    : `{ ${fields.map(([name, field]) => `${writeName(name)}: ${writeLiteral(field)}`).join(', ')} }`;
}

/** Writes the name of a property, quoted only if it must be. */
export function writeName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeLiteral(name);
}
