import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import pg from 'pg';
import { parse } from 'pg-protocol';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { readFields, readRows, splitMessages } from './row-messages.ts';

const fields = fc.array(
  fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('', 'é', 'x'.repeat(128), 'x'.repeat(129), `${'x'.repeat(127)}é`, '\u0000', '\u{10ffff}'),
  ),
);

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

function dataRow(texts: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(texts.length);
  const columns = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return [length, Buffer.from(text ?? '')];
  });
  return message('D', Buffer.concat([count, ...columns]));
}

const otherMessage = fc.oneof(
  fc.constant(message('2', Buffer.alloc(0))),
  fc.constant(message('Z', Buffer.from('I'))),
  fc.string().map((text) => message('C', Buffer.concat([Buffer.from(text), Buffer.alloc(1)]))),
);

/** Lists what pg's parser makes of these chunks. */
function parseAll(
  chunks: readonly Buffer[],
  listen: (stream: EventEmitter, found: unknown[]) => void,
): unknown[] {
  const found: unknown[] = [];
  const stream = new EventEmitter();
  parse(stream as unknown as NodeJS.ReadableStream, (parsed) =>
    found.push(
      'fields' in parsed ? ['row', parsed.fields] : [parsed.name, 'text' in parsed ? parsed.text : null],
    ),
  );
  listen(stream, found);
  // The parser keeps and changes what it was given.
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk));
  return found;
}

it('passes on the same messages and rows, in the same order, as the parser of pg, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fields.map(dataRow), otherMessage)),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(messages);
        const places = [
          0,
          ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        const expected = parseAll(chunks, () => undefined);
        const actual = parseAll(chunks, (stream, found) => {
          const [listener] = stream.listeners('data') as [(chunk: Buffer) => void];
          stream.off('data', listener);
          stream.on(
            'data',
            splitMessages(listener, (...row) => found.push(['row', readFields(...row)])),
          );
        });
        expect(expected).toHaveLength(messages.length);
        expect(actual).toEqual(expected);
      },
    ),
  );
});

it('passes on a row that arrives in thousands of parts', () => {
  const text = 'ä'.repeat(2_000_000);
  const bytes = Buffer.concat([dataRow([text, 'b']), message('Z', Buffer.from('I'))]);
  const found: unknown[] = [];
  const read = splitMessages(
    (rest) => found.push(String.fromCharCode(rest[0] ?? 0)),
    (...row) => found.push(readFields(...row)),
  );
  for (let at = 0; at < bytes.length; at += 1_000) read(bytes.subarray(at, at + 1_000));
  expect(found).toEqual([[text, 'b'], 'Z']);
});

it('serves queries of pg itself too', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.loginUrl });
  await client.connect();
  try {
    readRows(client);
    const { rows } = await client.query(
      `SELECT n, NULL AS none, 'ü' || n AS text FROM generate_series(1, 2) AS n`,
    );
    expect(rows).toEqual([
      { n: 1, none: null, text: 'ü1' },
      { n: 2, none: null, text: 'ü2' },
    ]);
  } finally {
    await client.end();
    await database.close();
  }
});
