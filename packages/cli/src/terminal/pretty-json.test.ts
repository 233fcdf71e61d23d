import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { compactJson, prettyJson } from './pretty-json.ts';
import { type Style, styleFor, toPlainText } from './style.ts';

const marks: Style = {
  ...styleFor(new PassThrough(), {}),
  cyan: (text) => `n<${text}>`,
  green: (text) => `t<${text}>`,
  yellow: (text) => `v<${text}>`,
};

it('colors names, texts and other values of JSON', () => {
  expect(prettyJson({ 'a"1': 'b: 2, true', c: [1, null, -2e-7] }, marks)).toBe(
    '{\n  n<"a\\"1">: t<"b: 2, true">,\n  n<"c">: [\n    v<1>,\n    v<null>,\n    v<-2e-7>\n  ]\n}',
  );
});

it('escapes control characters in JSON and replaces them in plain text', () => {
  expect(compactJson('a\u001b[31m\u009b1m\u007f')).toBe('"a\\u001b[31m\\u009b1m\\u007f"');
  expect(JSON.parse(compactJson('\u009b'))).toBe('\u009b');
  expect(toPlainText('a\u001b[31m\n\u009bb')).toBe('a [31m  b');
});
