import { crc32, inflateRawSync } from 'node:zlib';

/** Reads a file of a ZIP archive. It is found through the directory at the end of the archive. */
export function readZipped(zip: Buffer, name: string): string {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(begin, begin + zip.readUInt32LE(at + 20));
      const bytes = zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content;
      if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} has another checksum`);
      return bytes.toString();
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`There is no ${name}`);
}

/** The values of each row of a workbook with one sheet: numbers, and texts without the escapes of XML. */
export function readXlsx(workbook: Buffer): (string | number)[][] {
  const sheet = readZipped(workbook, 'xl/worksheets/sheet1.xml');
  return [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, row = '']) =>
    [...row.matchAll(/<c r="([A-Z]\d+)"[^>]*>(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/gs)].map(
      ([, reference, value, text = ''], index) => {
        if (reference !== `${String.fromCharCode(65 + index)}${number}`)
          throw new Error(`${reference} is misplaced`);
        if (value !== undefined) return Number(value);
        return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      },
    ),
  );
}
