/** A bare item of RFC 9651. `text` is the form in which the RFC serialises it. */
export type BareItem =
  | { readonly type: 'integer'; readonly value: number; readonly text: string }
  | { readonly type: 'string'; readonly value: string; readonly text: string }
  | { readonly type: 'token'; readonly value: string; readonly text: string }
  | { readonly type: 'bytes'; readonly value: Buffer; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean; readonly text: string };

export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item {
  readonly value: BareItem;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/**
 * Parses a dictionary of structured field values. Null if the text is not one. Decimals and dates are not supported, because no
 * field here has them, and a name may be given only once: two readers must not see two different values.
 */
export function parseDictionary(text: string): Dictionary | null {
  const reader = new Reader(text);
  try {
    return readDictionary(reader);
  } catch (error) {
    if (error instanceof NotStructured) return null;
    throw error;
  }
}

/** Serialises an inner list with its parameters. */
export function serializeInnerList({ items, parameters }: InnerList): string {
  const texts = items.map((item) => item.value.text + serializeParameters(item.parameters));
  return `(${texts.join(' ')})${serializeParameters(parameters)}`;
}

function serializeParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, value] of parameters) text += value.text === '?1' ? `;${name}` : `;${name}=${value.text}`;
  return text;
}

class NotStructured extends Error {
  override name = 'NotStructured';
}

const integer = /-?\d{1,15}(?![\d.])/y;
const quoted = /"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y;
const token = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const bytes = /:([A-Za-z0-9+/]*={0,2}):/y;
const boolean = /\?([01])/y;
const key = /[a-z*][a-z0-9_.*-]*/y;

/** Reads a text from its beginning to its end. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  get next(): string {
    return this.#text.charAt(this.#at);
  }

  skip(characters: string): void {
    while (!this.isAtEnd && characters.includes(this.next)) this.#at++;
  }

  /** Whether the next character is this one, which is read then. */
  take(character: string): boolean {
    if (this.next !== character || this.isAtEnd) return false;
    this.#at++;
    return true;
  }

  match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) throw new NotStructured();
    this.#at += match[0].length;
    return match;
  }
}

function readDictionary(reader: Reader): Dictionary {
  const members = new Map<string, Item | InnerList>();
  reader.skip(' ');
  while (!reader.isAtEnd) {
    const [name] = reader.match(key);
    if (members.has(name)) throw new NotStructured();
    members.set(name, reader.take('=') ? readMember(reader) : readParametersOf(reader, { value: isTrue }));
    reader.skip(' \t');
    if (reader.isAtEnd) return members;
    if (!reader.take(',')) throw new NotStructured();
    reader.skip(' \t');
    if (reader.isAtEnd) throw new NotStructured();
  }
  return members;
}

function readMember(reader: Reader): Item | InnerList {
  if (!reader.take('(')) return readItem(reader);
  const items: Item[] = [];
  for (;;) {
    reader.skip(' ');
    if (reader.take(')')) return readParametersOf(reader, { items });
    items.push(readItem(reader));
    if (reader.next !== ' ' && reader.next !== ')') throw new NotStructured();
  }
}

function readItem(reader: Reader): Item {
  return readParametersOf(reader, { value: readBareItem(reader) });
}

function readParametersOf<Value extends object>(
  reader: Reader,
  value: Value,
): Value & { readonly parameters: Parameters } {
  const parameters = new Map<string, BareItem>();
  while (reader.take(';')) {
    reader.skip(' ');
    const [name] = reader.match(key);
    if (parameters.has(name)) throw new NotStructured();
    parameters.set(name, reader.take('=') ? readBareItem(reader) : isTrue);
  }
  return { ...value, parameters };
}

const isTrue: BareItem = { type: 'boolean', value: true, text: '?1' };

function readBareItem(reader: Reader): BareItem {
  const { next } = reader;
  if (next === '"') {
    const [text, inner = ''] = reader.match(quoted);
    return { type: 'string', value: inner.replaceAll(/\\(.)/g, '$1'), text };
  }
  if (next === ':') {
    const value = Buffer.from(reader.match(bytes)[1] ?? '', 'base64');
    return { type: 'bytes', value, text: `:${value.toString('base64')}:` };
  }
  if (next === '?') {
    const [text] = reader.match(boolean);
    return { type: 'boolean', value: text === '?1', text };
  }
  if (/[A-Za-z*]/.test(next)) {
    const [text] = reader.match(token);
    return { type: 'token', value: text, text };
  }
  const value = Number(reader.match(integer)[0]);
  return { type: 'integer', value, text: String(value) };
}
