const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Describes a size for people, such as "12.3 MB". */
export function describeBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
