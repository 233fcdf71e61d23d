import { BoundedMap } from '@keyfront/bounded-map';
import { needsNonce, signatureLabel, signatureToleranceSeconds } from '@keyfront/protocol';
import { type Rejection, reject } from '../rejection.ts';
import {
  algorithmName,
  maxComponents,
  maxNonceLength,
  minNonceLength,
  refusalReasons,
} from './refusal-reasons.ts';
import {
  type BareItem,
  type Dictionary,
  type InnerList,
  type Item,
  parseDictionary,
  serializeInnerList,
} from './structured-fields.ts';

/** What `Signature-Input` says about a signature. */
export interface SignatureInput {
  /** The names of the covered components, in their order. */
  readonly components: readonly string[];
  /** The value of `@signature-params`. */
  readonly params: string;
  /** In seconds since 1970. */
  readonly created: number;
  readonly expires: number | null;
  /** The fingerprint of the key in lower-case hex, or the id of the API key. */
  readonly keyid: string;
  readonly nonce: string | null;
}

/** A signature and what it covers. Nothing is verified yet. */
export interface SignatureClaim {
  readonly ok: true;
  readonly input: SignatureInput;
  /** r and s, 32 bytes each. */
  readonly signature: Buffer;
}

/** The name of a header field, in lower case. */
const fieldName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const derivedNames = new Set([
  '@method',
  '@target-uri',
  '@authority',
  '@scheme',
  '@request-target',
  '@path',
  '@query',
]);
const keyidForm = /^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The form in which nearly all callers write the header: one signature, its parameters in this order, no blanks to spare. */
const usualInput =
  /^([a-z][a-z0-9_.-]*)=(\(("[@a-z0-9-]+"(?: "[@a-z0-9-]+")*)\);created=(\d{1,15});keyid="([0-9a-f-]{36,64})"(?:;nonce="([\w.~+/=-]{16,255})")?)$/;
/** 64 bytes in Base64. The last digit has four bits that must be zero. */
const compactBase64 = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
/** The validated components by their text. Callers use few different lists. */
const usualComponents = new BoundedMap<readonly string[]>(1_000);

/** Reads a signature from `Signature-Input` and `Signature`. */
export function readSignatureClaim(
  inputHeader: string | undefined,
  signatureHeader: string | undefined,
): SignatureClaim | Rejection {
  return readUsualClaim(inputHeader, signatureHeader) ?? readAnyClaim(inputHeader, signatureHeader);
}

/** The fast path, which parses no structured fields. Null for everything that is not in the usual form or not valid. */
export function readUsualClaim(inputHeader = '', signatureHeader = ''): SignatureClaim | null {
  const [, label, params = '', list = '', created, keyid = '', nonce = null] =
    usualInput.exec(inputHeader) ?? [];
  if (label === undefined || !keyidForm.test(keyid) || !/^0$|^[1-9]/.test(created ?? '')) return null;
  const components = usualComponents.get(list) ?? readUsualComponents(list);
  const start = `${label}=:`;
  if (!components || !signatureHeader.startsWith(start) || !signatureHeader.endsWith(':')) return null;
  const digits = signatureHeader.slice(start.length, -1);
  if (!compactBase64.test(digits)) return null;
  const signature = Buffer.from(digits, 'base64');
  const input = { components, params, created: Number(created), expires: null, keyid, nonce };
  return { ok: true, input, signature };
}

function readUsualComponents(list: string): readonly string[] | null {
  const member = parseDictionary(`a=(${list})`)?.get('a');
  const components = member && 'items' in member ? readComponents(member.items) : null;
  if (!components || 'ok' in components) return null;
  usualComponents.set(list, components);
  return components;
}

/** Reads headers in every form that RFC 9421 allows, and explains what is wrong with them. */
export function readAnyClaim(
  inputHeader: string | undefined,
  signatureHeader: string | undefined,
): SignatureClaim | Rejection {
  if (inputHeader === undefined) return reject(refusalReasons.noInput());
  if (signatureHeader === undefined) return reject(refusalReasons.noSignature());
  const inputs = parseDictionary(inputHeader);
  if (!inputs) return reject(refusalReasons.inputForm());
  const label = findLabel(inputs);
  if (label === null) return reject(refusalReasons.severalLabels());
  const member = inputs.get(label);
  if (!member || !('items' in member)) return reject(refusalReasons.noComponents());
  const input = readInput(member);
  if ('ok' in input) return input;
  const signature = readSignatureBytes(parseDictionary(signatureHeader)?.get(label), label);
  return Buffer.isBuffer(signature) ? { ok: true, input, signature } : signature;
}

function findLabel(inputs: Dictionary): string | null {
  if (inputs.has(signatureLabel)) return signatureLabel;
  const [first] = inputs.keys();
  return inputs.size === 1 && first !== undefined ? first : null;
}

function readSignatureBytes(member: Item | InnerList | undefined, label: string): Buffer | Rejection {
  if (!member || !('value' in member) || member.value.type !== 'bytes') {
    return reject(refusalReasons.signatureForm(label));
  }
  const { value } = member.value;
  if (value.length === 64) return value;
  return reject(
    value[0] === 0x30 ? refusalReasons.signatureInDer() : refusalReasons.signatureLength(value.length),
  );
}

function readInput(list: InnerList): SignatureInput | Rejection {
  const components = readComponents(list.items);
  if ('ok' in components) return components;
  const { parameters } = list;
  const created = parameters.get('created');
  if (created?.type !== 'integer') return reject(refusalReasons.noCreated());
  const expires = parameters.get('expires');
  if (expires && expires.type !== 'integer') return reject(refusalReasons.expiresForm());
  const keyid = readText(parameters.get('keyid'));
  if (keyid === null || !keyidForm.test(keyid)) return reject(refusalReasons.keyidForm());
  const alg = parameters.get('alg');
  if (alg && readText(alg) !== algorithmName) return reject(refusalReasons.otherAlgorithm());
  const nonce = parameters.get('nonce');
  const nonceText = readText(nonce);
  const nonceLength = nonceText?.length ?? 0;
  if (nonce && (nonceLength < minNonceLength || nonceLength > maxNonceLength)) {
    return reject(refusalReasons.nonceForm());
  }
  return {
    components,
    params: serializeInnerList(list),
    created: created.value,
    expires: expires?.type === 'integer' ? expires.value : null,
    keyid,
    nonce: nonceText,
  };
}

function readText(item: BareItem | undefined): string | null {
  return item?.type === 'string' ? item.value : null;
}

function readComponents(items: readonly Item[]): string[] | Rejection {
  if (items.length > maxComponents) return reject(refusalReasons.tooManyComponents());
  const names: string[] = [];
  for (const { value, parameters } of items) {
    if (value.type !== 'string') return reject(refusalReasons.unquotedComponent());
    const name = value.value;
    const isSupported = name.startsWith('@') ? derivedNames.has(name) : fieldName.test(name);
    if (parameters.size > 0 || !isSupported) {
      const component = `${value.text}${parameters.size > 0 ? ' with parameters' : ''}`;
      return reject(refusalReasons.unsupportedComponent(component));
    }
    if (names.includes(name)) return reject(refusalReasons.repeatedComponent(name));
    names.push(name);
  }
  return names;
}

/** What every signature of such a request must cover and say, apart from the body. */
export function checkSignatureInput(
  { components, created, expires, nonce }: SignatureInput,
  { method, hasBody, nowMs }: { readonly method: string; readonly hasBody: boolean; readonly nowMs: number },
): { readonly ok: true } | Rejection {
  const covers = (name: string) => components.includes(name);
  if (!covers('@method')) return reject(refusalReasons.methodNotCovered());
  if (!covers('@target-uri') && !(covers('@authority') && covers('@path') && covers('@query'))) {
    return reject(refusalReasons.addressNotCovered());
  }
  if (hasBody && !covers('content-digest')) {
    return reject(refusalReasons.bodyNotCovered());
  }
  if (needsNonce(method) && nonce === null) {
    return reject(refusalReasons.noNonce(method));
  }
  return checkTime(created, expires, Math.floor(nowMs / 1000));
}

function checkTime(created: number, expires: number | null, now: number): { readonly ok: true } | Rejection {
  const age = now - created;
  if (Math.abs(age) > signatureToleranceSeconds) {
    return reject(age > 0 ? refusalReasons.createdBefore(age, now) : refusalReasons.createdAfter(-age, now));
  }
  return expires !== null && expires < now ? reject(refusalReasons.expired(now)) : { ok: true };
}
