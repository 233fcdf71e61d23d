const quote = 0x22;
const lineFeed = 0x0a;

/** Counts the rows of a CSV file as its parts arrive. A line break inside quotes ends no row, and the first row is the header. */
export function countRows(): { add(chunk: Uint8Array): number; readonly rows: number } {
  let lines = 0;
  let isQuoted = false;
  const count = () => Math.max(lines - 1, 0);
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === lineFeed && !isQuoted) lines += 1;
      }
      return count();
    },
    get rows() {
      return count();
    },
  };
}
