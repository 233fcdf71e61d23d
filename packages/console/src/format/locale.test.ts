import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '..');

it('is the language of every date, number and name: nothing follows the browser', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
  );
  const following = files.filter((file) =>
    /toLocale\w*String\(|Intl\.\w+\((\)|undefined|\[\])|localeCompare\([^,()]+\)/.test(
      readFileSync(join(source, file), 'utf8'),
    ),
  );
  expect(following).toEqual([]);
});
