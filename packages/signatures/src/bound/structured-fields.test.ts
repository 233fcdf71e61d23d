import { describe, expect, it } from 'vitest';
import { parseDictionary, serializeInnerList } from './structured-fields.ts';

describe('parseDictionary', () => {
  it('reads items, inner lists and parameters', () => {
    const text = ' a=1,b=:AQI=:;x;y=?0 ,\tc=("a" b;z=-5 "q\\"\\\\"  );created=12, d';
    const read = [...(parseDictionary(text) ?? [])].map(([name, member]) =>
      'items' in member ? `${name}=${serializeInnerList(member)}` : `${name}=${member.value.text}`,
    );
    expect(read).toEqual(['a=1', 'b=:AQI=:', 'c=("a" b;z=-5 "q\\"\\\\");created=12', 'd=?1']);
  });

  it('reads an empty text', () => {
    expect(parseDictionary('')?.size).toBe(0);
  });

  it.each([
    'A=1',
    'a=',
    'a=1,',
    'a=1,,b=2',
    'a=1 b=2',
    'a=1,a=2',
    'a=1;x=1;x=2',
    'a=("x""y")',
    'a=("x"',
    'a="x',
    'a="\\x"',
    'a="é"',
    'a=:A*:',
    'a=1.5',
    'a=1234567890123456',
    'a=?2',
    'a=@1',
    '=1',
  ])('rejects %j', (text) => {
    expect(parseDictionary(text)).toBeNull();
  });
});
