/** Makes a body of about this size. The name is that of a field which the operation knows. */
export type BodyShape = (size: number, name: string) => Buffer;

const fill = (text: string, length: number) => text.repeat(Math.max(1, Math.floor(length / text.length)));

/** A list of as many values as fit. */
const list =
  (value: string): BodyShape =>
  (size, name) =>
    Buffer.from(`{"${name}":[${fill(`${value},`, size)}${value}]}`);

/** Shapes of bodies whose work grows with their size, for a parser, a validator or a signature. */
export const bodyShapes: Readonly<Record<string, BodyShape>> = {
  'empty objects': list('{}'),
  nulls: list('null'),
  'short texts': list('"a"'),
  'objects with a field': list('{"a":1}'),
  nesting: (size, name) => {
    const depth = Math.floor(size / 2);
    return Buffer.from(`{"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  },
  'many names': (size) =>
    Buffer.from(`{${Array.from({ length: Math.floor(size / 11) }, (_, index) => `"a${index}":1`).join()}}`),
  'a long number': (size, name) => Buffer.from(`{"${name}":${fill('1', size)}}`),
  'a long text': (size, name) => Buffer.from(`{"${name}":"${fill('x', size)}"}`),
  'escaped characters': (size, name) => Buffer.from(`{"${name}":"${fill('\\u00e9', size)}"}`),
  'white space': (size, name) => Buffer.from(`{${fill(' ', size)}"${name}":1}`),
  'no JSON': (size) => Buffer.from(fill('{', size)),
};
