const lineFeed = 0x0a;
const quote = 0x22;

/** Counts the records of a CSV file chunk by chunk. A line break within quotes does not end a record. */
export function createCsvRecordCounter(): (chunk: Uint8Array) => number {
  let isQuoted = false;
  let isHeader = true;
  return (chunk) => {
    let records = 0;
    for (const byte of chunk) {
      // An escaped quote is two quotes, which leaves the state as it was.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) {
        if (!isHeader) records++;
        isHeader = false;
      }
    }
    return records;
  };
}
