import { expect, it } from 'vitest';
import { createCsvRecordCounter } from './count-csv-records.ts';

const file = Buffer.from('id,name\r\n1,"two\r\nlines"\r\n2,"a ""quoted"" name"\r\n3,plain\r\n');

it.each([1, 2, 3, 7, file.length])('counts records in chunks of %i bytes', (size) => {
  const count = createCsvRecordCounter();
  let records = 0;
  for (let at = 0; at < file.length; at += size) records += count(file.subarray(at, at + size));
  expect(records).toBe(3);
});

it('does not count the header', () => {
  expect(createCsvRecordCounter()(Buffer.from('id,name\r\n'))).toBe(0);
});
