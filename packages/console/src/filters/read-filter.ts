/** Readers of the values in a URL. What is not valid is undefined, as if it were not there. */

export function readText(value: unknown): string | undefined {
  // The router reads `?search=12` as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}

export function readOneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  // The router reads `?isActive=true` as a boolean.
  return values.find((each) => each === value || each === String(value));
}

export function readDay(value: unknown): string | undefined {
  // Only days that are days of the service in every time zone.
  if (typeof value !== 'string' || !/^[12]\d{3}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(`${value}T00:00:00Z`);
  // A day such as 31 February is read as one of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
}

export function readId(value: unknown): string | undefined {
  const isId = typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  return isId ? value : undefined;
}

export function readTokenId(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && /^\d{1,16}$/.test(text) ? text : undefined;
}

export function readCountryCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]{2,3}$/i.test(value) ? value : undefined;
}

/** A number that is not negative. */
export function readNumber(value: unknown, max: number): number | undefined {
  // As it is typed, a decimal comma is as good as a point.
  const text = readText(value)?.trim().replace(',', '.') ?? '';
  const number = /^\d{1,12}(\.\d{0,4})?$/.test(text) ? Number(text) : Number.NaN;
  return number <= max ? number : undefined;
}

/** A list of values with commas between them, each once. */
export function readList(value: unknown): string | undefined {
  const values = readText(value)?.split(',') ?? [];
  return [...new Set(values.map((each) => each.trim()).filter(Boolean))].join(',') || undefined;
}

export type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined | null> };

/** Removes the fields that are undefined or empty, so that they are in no URL and no request. */
export function removeAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && value !== null,
  );
  return Object.fromEntries(present) as Present<Fields>;
}
