import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';

interface Field {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

export interface CollectionItem {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly Field[];
    readonly url: {
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly Field[];
    };
    readonly body?: { readonly raw: string };
  };
}

export interface Collection {
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly variable: readonly Field[];
  readonly item: readonly { readonly name: string; readonly item: readonly CollectionItem[] }[];
}

/**
 * Sends a request of a collection as Postman does, with these values of the environment: it runs the script of the collection with
 * nothing but `pm` and `crypto-js`, and sends what the script has made of the request. What only Postman can tell, newman tells in
 * `test/long/postman.test.ts`.
 */
export function sendItem(
  { event: [event], variable }: Collection,
  { request: { method, auth, header, url: parts, body } }: CollectionItem,
  environment: Readonly<Record<string, string>>,
): Promise<Response> {
  const values = { ...Object.fromEntries(variable.map(({ key, value }) => [key, value])), ...environment };
  const replaceIn = (text: string) =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (all, name: string) =>
      name === '$guid' ? randomUUID() : (values[name] ?? all),
    );
  const query = parts.query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const headers = new Map(header.map(({ key, value }) => [key, value]));
  let url = `${[...parts.host, ...parts.path].join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  let raw = body?.raw;
  const pm = {
    variables: { get: (name: string) => values[name], replaceIn },
    request: {
      method,
      auth,
      url: {
        toString: () => url,
        update: (text: string) => {
          url = text;
        },
      },
      body: body && {
        raw: body.raw,
        update: (changed: { readonly raw: string }) => {
          ({ raw } = changed);
        },
      },
      headers: { upsert: ({ key, value }: Field) => headers.set(key, value) },
    },
  };
  const require = (name: string) => {
    if (name !== 'crypto-js') throw new Error(`The sandbox has no ${name}`);
    return cryptoJs;
  };
  runInContext(event?.script.exec.join('\n') ?? '', createContext({ pm, require }));
  return fetch(url, { method, headers: [...headers], ...(raw && { body: raw }) });
}

/** The parts of crypto-js that the script uses. */
const words = (bytes: Buffer) => ({
  bytes,
  toString: (encoding: { stringify(bytes: Buffer): string } = enc.Hex) => encoding.stringify(bytes),
});
const encodingOf = (name: BufferEncoding) => ({
  parse: (text: string) => words(Buffer.from(text, name)),
  stringify: (bytes: Buffer) => bytes.toString(name),
});
const enc = { Utf8: encodingOf('utf8'), Base64: encodingOf('base64'), Hex: encodingOf('hex') };
type Words = ReturnType<typeof words>;
const cryptoJs = {
  enc,
  SHA256: ({ bytes }: Words) => words(createHash('sha256').update(bytes).digest()),
  HmacSHA256: (message: Words, key: Words) =>
    words(createHmac('sha256', key.bytes).update(message.bytes).digest()),
};
