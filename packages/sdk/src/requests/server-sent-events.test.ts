import { expect, it } from 'vitest';
import { ServerSentEventParser } from './server-sent-events.ts';

const text = [
  ': a comment\nretry: 1000\nid: one\n\n',
  'id: two\ndata: {"name":"Adé"}\n\n',
  'event: other\r\ndata: first\r\ndata:second\r\n\r\n',
  ': alive\n\n',
  'data\n\n',
  'data: never ended',
].join('');
const expected = [
  { id: 'one', data: '' },
  { id: 'two', data: '{"name":"Adé"}' },
  { id: 'two', data: 'first\nsecond' },
  { id: 'two', data: '' },
];

it.each([1, 2, 3, 7, 1000])('parses a stream in chunks of %i bytes', (size) => {
  const parser = new ServerSentEventParser();
  const bytes = new TextEncoder().encode(text);
  const events = [];
  for (let start = 0; start < bytes.length; start += size)
    events.push(...parser.parse(bytes.subarray(start, start + size)));
  expect(events).toEqual(expected);
});
