type QueryValue = string | number | boolean | null;

/** One call of an operation, with example values, to be written as a program. */
export interface SampleOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Relative to the base URL, with `{name}` for parameters. */
  readonly path: string;
  readonly access: 'public' | 'credential' | 'jwt' | 'administrator';
  /** The base URL as callers reach it, with the version prefix. */
  readonly baseUrl: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** The file that is the body, in place of `body`. */
  readonly file?: string;
  /** Whether the response has no end. */
  readonly isStream?: boolean;
  /** Whether callers may send an `Idempotency-Key`. */
  readonly takesIdempotencyKey?: boolean;
  /** The method of the SDK, such as `orders.create`. Without one, the sample uses its general `request`. */
  readonly sdk?: string;
}

/** The path with its example values in place. */
export function samplePath({ path, parameters = {} }: SampleOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    return value === undefined ? placeholder : encodeComponent(String(value));
  });
}

/** The query as it is sent and signed, without its question mark. Empty where there is none. */
export function sampleQuery({ query = {} }: SampleOperation): string {
  return Object.entries(query)
    .map(
      ([name, value]) => `${encodeComponent(name)}=${encodeComponent(value === null ? '' : String(value))}`,
    )
    .join('&');
}

/** Stricter than `encodeURIComponent`: what is left means nothing to a shell, not even inside double quotes. */
function encodeComponent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
