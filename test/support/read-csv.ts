/** The rows of a CSV text as RFC 4180 has it, and nothing more lenient: lines end with CRLF, the last one too. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('A quoted cell does not end');
        cell += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    } else {
      const end = at + (text.slice(at).match(/^[^",\r\n]*/)?.[0].length ?? 0);
      cell = text.slice(at, end);
      at = end;
    }
    row.push(cell);
    if (text[at] === ',') {
      at++;
      // A comma at the end of the text would be followed by one more empty cell.
      if (at === text.length) throw new Error('The text ends within a row');
    } else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else {
      throw new Error(`A cell is followed by ${JSON.stringify(text.slice(at, at + 5))}`);
    }
  }
  if (row.length > 0) throw new Error('The last line has no end');
  return rows;
}
