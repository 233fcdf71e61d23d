import { randomInt } from 'node:crypto';
import type { Operation } from '@keyfront/protocol';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** A text that stands nowhere else, by the operation and the field that it was sent in, such as `createClient.firstName`. */
export type Markers = Map<string, string>;

interface TextSchema {
  readonly type?: string | readonly string[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, TextSchema>>;
  readonly items?: TextSchema;
  readonly anyOf?: readonly TextSchema[];
}

/** Fields whose text is checked by more than their schema, or means something else than itself. */
const notFree = new Set([
  // A second name of `keyName`, which must be the same.
  'createKey.label',
  'createKey.publicKey',
  'createKey.proof.signature',
  'createKey.allowedNetworks[]',
  'updateKey.allowedNetworks[]',
  'rotateKey.publicKey',
  'rotateKey.proof.signature',
  'requestNonce.type',
  'requestNonce.domain',
  'signIn.message',
  'signIn.signature',
  // That of the first of `strainImages`.
  'createStrain.imageUrl',
  'updateStrain.imageUrl',
  // The name or number of a planet that exists.
  'createStrain.planet',
  'updateStrain.planet',
  // Types of events.
  'listEvents.type',
  'streamEvents.type',
  // Positions in a list.
  'listOrders.cursor',
  'exportOrders.cursor',
  'listAdminOrders.cursor',
  'listAdminHolders.cursor',
  'listOrders.clientIds',
  'listAdminOrders.clientIds',
]);

const ajv = new Ajv({ strict: false });
formats.default(ajv);
// Neither digits of hexadecimal numbers, nor two letters that look alike.
const letters = 'ghijkmnpqrstuvwxyz';
/** Short enough for the shortest field that can have a text of its own, which is the code of a phone number. */
const length = 8;

const newMarker = (): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

const asEmail = (marker: string) => `${marker}@example.org`;
const asUrl = (marker: string) => `https://192.0.32.8/${marker}`;
const asItself = (marker: string) => marker;

/**
 * Returns a body or a query with a marker in each text field, and adds the markers to those that are given. The schema tells the fields,
 * so that a new one is found by itself.
 */
export function plantMarkers(
  operation: Operation,
  part: 'body' | 'query',
  markers: Markers,
): Record<string, unknown> {
  const planted = plantIn(operation[part] ?? {}, operation.id, markers) ?? {};
  return completePlanted(operation, planted as Record<string, unknown>);
}

/** Adds what the texts need beside them. */
function completePlanted({ body }: Operation, planted: Record<string, unknown>): Record<string, unknown> {
  const { shippings, shippingAddress } = planted;
  return {
    ...planted,
    // Only a customer who pays at once is sent away.
    ...('returnUrl' in planted && body?.properties.paymentFlow ? { paymentFlow: 'DIRECT' } : {}),
    // The first one is the default address, which `shipping` has.
    ...(Array.isArray(shippings) ? { shippings: [{}, ...shippings] } : {}),
    ...(shippingAddress ? { shippingAddress: { ...shippingAddress, countryCode: 'PRT' } } : {}),
  };
}

/** Undefined: no text of its own fits. */
function plantIn(schema: TextSchema, path: string, markers: Markers): unknown {
  if (notFree.has(path) || schema.enum !== undefined || schema.const !== undefined) return undefined;
  if (schema.anyOf && !schema.properties) {
    return schema.anyOf.map((each) => plantIn(each, path, markers)).find((each) => each !== undefined);
  }
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) {
    const item = plantIn(schema.items ?? {}, `${path}[]`, markers);
    return item === undefined ? undefined : [item];
  }
  if (types.includes('object')) {
    // A medical record, which may contain anything.
    if (!schema.properties) return { note: plantIn({ type: 'string' }, path, markers) };
    const fields = Object.entries(schema.properties)
      .map(([name, inner]) => [name, plantIn(inner, `${path}.${name}`, markers)])
      .filter(([, value]) => value !== undefined);
    return fields.length === 0 ? undefined : Object.fromEntries(fields);
  }
  // A number may come as a text.
  if (!types.includes('string') || types.includes('number')) return undefined;
  const marker = newMarker();
  const forms = /url$/i.test(path) ? [asUrl] : [asItself, asEmail];
  const text = forms.map((write) => write(marker)).find((each) => ajv.validate(schema, each));
  if (text !== undefined) markers.set(path, marker);
  return text;
}
