import { expect, it } from 'vitest';
import { countRows } from './count-rows.ts';

it('counts the rows of a CSV file, wherever its parts are cut', () => {
  const file = new TextEncoder().encode('a,b\r\n1,"two\r\nlines"\r\n2,"a ""quote"",\n"\r\n3,x\r\n');
  for (let cut = 0; cut <= file.length; cut += 1) {
    const counter = countRows();
    counter.add(file.subarray(0, cut));
    expect(counter.add(file.subarray(cut))).toBe(3);
    expect(counter.rows).toBe(3);
  }
});
