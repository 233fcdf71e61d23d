/** What a signature covers is derived from these parts of a request. */
export interface RequestToSign {
  readonly method: string;
  /** As it stands in the address, without the `?`. */
  readonly query: string | null;
  readonly body: Uint8Array | null;
  /** The values of the route's path parameters by their names, decoded, in the order of the path. */
  readonly pathParameters?: Readonly<Record<string, string>>;
}

const bodyMethods = new Set(['POST', 'PATCH', 'PUT']);

/** Whether it is the body that is signed, and not the query. */
export function signsBody(method: string): boolean {
  return bodyMethods.has(method.toUpperCase());
}

const emptyObject = '{}';
const encoder = new TextEncoder();
/** What most requests without a query are signed over, encoded once. */
const emptyPayload = encoder.encode(emptyObject);
/** What bytes that are not UTF-8 are decoded to. */
const replacementCharacter = '\ufffd';
const quotationMark = 0x22;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a caller signs. */
export function signedPayload(request: RequestToSign): Uint8Array {
  const [payload] = acceptedPayloads(request);
  return payload ?? emptyPayload;
}

/**
 * What a server accepts as signed, in this order. A caller signs the first form; the others are what common HTTP
 * clients make of it on the way. No form is empty. Each is made only when it is asked for. `parsesBody`: whether forms count
 * that can only be made by parsing the body.
 */
export function* acceptedPayloads(
  request: RequestToSign,
  { parsesBody = true }: { readonly parsesBody?: boolean | undefined } = {},
): Generator<Uint8Array, void, undefined> {
  const body = request.body?.length ? request.body : null;
  if (signsBody(request.method)) {
    if (body) yield* bodyForms(body, parsesBody);
    else yield emptyPayload;
    return;
  }
  if (request.query) yield* queryForms(request.query);
  else yield* addressForms(request.pathParameters ?? {});
  if (body && !parsesBody) return;
  if (request.method.toUpperCase() === 'DELETE' && body) yield* deleteBodyForms(body);
  // The rarest form comes last, because each form costs a verification.
  if (request.query) yield* queryAsJson(request.query, body);
}

function* bodyForms(body: Uint8Array, parsesBody: boolean): Generator<Uint8Array, void, undefined> {
  if (!isSignatureBase(body)) yield body;
  if (!parsesBody) return;
  const compact = compactJson(body);
  if (compact && !equalBytes(compact, body)) yield compact;
}

/**
 * Whether a body is what a bound signature covers. Nobody may send such a signature as one of this form, with its signature base as
 * the body: some operations ignore their body. No JSON text contains the last line of a signature base.
 */
function isSignatureBase(body: Uint8Array): boolean {
  return body[0] === quotationMark && new TextDecoder().decode(body).includes('"@signature-params": (');
}

function* queryForms(query: string): Generator<Uint8Array, void, undefined> {
  // `{}` is the payload of a request without a query: a signature over it must not open one that has a query.
  if (query !== emptyObject) yield encode(query);
  // URLSearchParams drops one leading `?`; a query may begin with a `?` of its own.
  const formEncoded = new URLSearchParams(`?${query}`).toString();
  if (formEncoded !== '' && formEncoded !== query) yield encode(formEncoded);
}

/**
 * The compact JSON object of the parameters in their order, all values strings. It must contain everything that the query
 * contains, so a query that repeats a name or has bytes that are not UTF-8 has no such form. Neither has one without
 * parameters, because it would be `{}`.
 */
function* queryAsJson(query: string, body: Uint8Array | null): Generator<Uint8Array, void, undefined> {
  const parameters = [...new URLSearchParams(`?${query}`)];
  if (parameters.length === 0 || new Set(parameters.map(([name]) => name)).size < parameters.length) return;
  const fields = parameters.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const json = `{${fields.join(',')}}`;
  if (json === query || json.includes(replacementCharacter)) return;
  const payload = encode(json);
  // The body of a DELETE may be the same object, and was a form already.
  const compactBody = body && compactJson(body);
  if (!compactBody || !equalBytes(compactBody, payload)) yield payload;
}

function* addressForms(
  pathParameters: Readonly<Record<string, string>>,
): Generator<Uint8Array, void, undefined> {
  yield emptyPayload;
  if (Object.keys(pathParameters).length > 0) yield encode(JSON.stringify(pathParameters));
}

function* deleteBodyForms(body: Uint8Array): Generator<Uint8Array, void, undefined> {
  const compact = compactJson(body);
  // Without a query `{}` was a form already, and with one it must not be.
  if (!compact || equalBytes(compact, emptyPayload)) return;
  yield body;
  if (!equalBytes(compact, body)) yield compact;
}

/** The JSON text without blanks, as `JSON.stringify` writes it; null where the bytes are not JSON. */
function compactJson(body: Uint8Array): Uint8Array | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    const compact = JSON.stringify(value);
    // `1e999` is read as infinite and written as null: a signature over null must not admit it.
    if (compact.includes('null') && holdsInfinity(value)) return null;
    return encode(compact);
  } catch {
    // Also text that is nested too deeply to be written again.
    return null;
  }
}

function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsInfinity);
}

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (a[at] !== b[at]) return false;
  }
  return true;
}
