/** The fields whose values differ from those that are stored. Lists are compared by their entries. */
export function changedFields<Fields extends object>(stored: Fields, fields: Fields): Partial<Fields> {
  const isSame = (name: string) =>
    JSON.stringify(stored[name as keyof Fields]) === JSON.stringify(fields[name as keyof Fields]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isSame(name))) as Partial<Fields>;
}
