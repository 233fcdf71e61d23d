import { randomBytes } from 'node:crypto';

const sources = new WeakMap<object, string>();

/** Remembers the JSON that an object was parsed from, because parsing loses digits of numbers and the order of names. */
export function rememberJson(value: object, json: string): void {
  sources.set(value, json);
}

/** The JSON of an object, without white space between its tokens: as it was sent if the object is a field of a body. */
export function jsonOf(value: object): string {
  const source = sources.get(value);
  if (source === undefined) return JSON.stringify(value);
  return source.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, text: string | undefined) => text ?? '');
}

// Random, so that nothing that a response contains can be mistaken for it.
const placeholder = randomBytes(16).toString('hex');

/** JSON that is sent exactly as it is, as a field of the data of a response. */
export class JsonText {
  readonly #json: string;

  constructor(json: string) {
    this.#json = json;
    Object.assign(this, { [placeholder]: 0 });
  }

  /** Replaces what a serializer has written for the fields of this kind. */
  static insert(body: string, data: unknown): string {
    if (typeof data !== 'object' || data === null) return body;
    return Object.values(data)
      .filter((value) => value instanceof JsonText)
      .reduce((text, value) => text.replace(`{"${placeholder}":0}`, () => value.#json), body);
  }
}
