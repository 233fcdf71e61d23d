import { describe, expect, it } from 'vitest';
import { encodeCommand, NotRedis, RedisError, ReplyReader } from './resp.ts';

const read = (text: string) => new ReplyReader().read(Buffer.from(text));

describe('the protocol of Redis', () => {
  it('gives the length of words in bytes', () => {
    expect(encodeCommand(['AUTH', 'pä'])).toBe('*2\r\n$4\r\nAUTH\r\n$3\r\npä\r\n');
  });

  it('has replies of every kind', () => {
    expect(read('+OK\r\n:-3\r\n$3\r\na\r\n\r\n$-1\r\n*-1\r\n*2\r\n:1\r\n*1\r\n+x\r\n-ERR no\r\n')).toEqual([
      'OK',
      -3,
      'a\r\n',
      null,
      null,
      [1, ['x']],
      new RedisError('ERR no'),
    ]);
  });

  it('is put together from pieces, wherever they were cut', () => {
    const text = '*2\r\n:1\r\n$5\r\nab\r\nc\r\n+OK\r\n';
    const reader = new ReplyReader();
    const replies = [...text].flatMap((character) => reader.read(Buffer.from(character)));
    expect(replies).toEqual([[1, 'ab\r\nc'], 'OK']);
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n', '<html>', ':x\r\n', '$1e9\r\n', `+${'x'.repeat(70_000)}`])(
    'is not spoken by what says %.20s',
    (text) => {
      expect(() => read(text)).toThrow(NotRedis);
    },
  );
});
