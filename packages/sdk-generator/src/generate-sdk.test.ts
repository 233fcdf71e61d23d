import { readdirSync, readFileSync } from 'node:fs';
import { type Operation, operationList, operations } from '@keyfront/protocol';
import { type TObject, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { generateSdk } from './generate-sdk.ts';

const folder = new URL('../../sdk/src/generated/', import.meta.url);

it('is what the SDK was built with: otherwise run `npm run build`', () => {
  const onDisk = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
  expect(new Map(onDisk as [string, string][])).toEqual(generateSdk());
});

it('gives the same text for the same operations', () => {
  expect(generateSdk()).toEqual(generateSdk());
});

describe('a new operation', () => {
  const shipment = Type.Object(
    { id: Type.String({ description: 'Id of the pallet' }) },
    { title: 'Pallet', description: 'A pallet' },
  );
  const listPallets: Operation = {
    ...operations.getOrder,
    id: 'listPallets',
    path: '/dapp/orders/{orderId}/pallets',
    sdk: 'pallets.list',
    summary: 'List pallets',
    description: 'Newest first.',
    query: Type.Object({ carrier: Type.Optional(Type.String({ description: 'Only this carrier' })) }),
    response: Type.Object({ pallets: Type.Array(shipment) }, { title: 'PalletList' }),
    errors: ['NOT_OWNED'],
  };
  const files = generateSdk([...operationList, listPallets]);

  it('has its route', () => {
    expect(files.get('operations.ts')).toContain(
      "  listPallets: { method: 'GET', path: '/dapp/orders/{orderId}/pallets', retry: 'safe' },\n",
    );
  });

  it('has its types, with documentation', () => {
    expect(files.get('types.ts')).toContain(
      '/** A pallet */\nexport interface Pallet {\n  /** Id of the pallet */\n  id: string;\n}\n',
    );
    expect(files.get('types.ts')).toContain(`/** Query of \`GET /dapp/orders/{orderId}/pallets\` */
export type ListPalletsQuery = {
  /** Only this carrier */
  carrier?: string;
};
`);
  });

  it('has a method in a group of the client', () => {
    expect(files.get('resources.ts')).toContain(`export class PalletsResource extends Resource {
  /**
   * List pallets.
   *
   * Newest first.
   *
   * \`GET /dapp/orders/{orderId}/pallets\`
   *
   * @throws ForbiddenError \`NOT_OWNED\`
   * @throws NotFoundError \`RESOURCE_NOT_FOUND\`
   */
  list(orderId: string, query: ListPalletsQuery = {}, options?: CallOptions): PageList<PalletList, Pallet> {
    return this.client.list(operations.listPallets, 'pallets', { parameters: [orderId], query }, options);
  }
}
`);
    expect(files.get('client-resources.ts')).toContain('  readonly pallets: PalletsResource;\n');
  });

  it('is in the catalogue', () => {
    expect(files.get('catalogue.ts')).toContain("sdk: 'pallets.list'");
  });
});

describe('a body that says nothing the operation does not know', () => {
  const withBody = (body: TObject) => {
    const change: Operation = { ...operations.updateOrder, id: 'closeOrder', sdk: 'orders.close', body };
    return generateSdk([...operationList, change]).get('resources.ts') ?? '';
  };
  const note = Type.Optional(Type.String());

  it.each([
    ['an object whose fields are all optional', Type.Object({ note }, { title: 'Closing' }), '{}'],
    [
      'a field that has one possible value',
      Type.Object({ state: Type.String({ enum: ['CLOSED'] }), note }, { title: 'Closing' }),
      "{ state: 'CLOSED' }",
    ],
    [
      'a literal',
      Type.Object({ state: Type.Literal('CLOSED') }, { title: 'Closing' }),
      "{ state: 'CLOSED' }",
    ],
  ])('may be left out: %s', (_what, body, value) => {
    expect(withBody(body)).toContain(`closing: Closing = ${value}`);
  });

  it.each([
    [
      'a field with several values',
      Type.Object({ state: Type.String({ enum: ['CLOSED', 'LOST'] }) }, { title: 'Closing' }),
    ],
    ['a field without an enumeration', Type.Object({ state: Type.String() }, { title: 'Closing' })],
    ['at least one field', Type.Object({ note }, { title: 'Closing', minProperties: 1 })],
    [
      'one of several fields',
      Type.Object({ note }, { title: 'Closing', anyOf: [{ required: ['note'] }, { required: ['state'] }] }),
    ],
  ])('must be passed otherwise: %s', (_what, body) => {
    expect(withBody(body)).toContain('closing: Closing, options?: CallOptions');
  });
});

describe('fails for', () => {
  const change = (id: keyof typeof operations, changes: Partial<Operation>) =>
    operationList.map((operation) => (operation.id === id ? { ...operation, ...changes } : operation));

  it('two operations with the same SDK name', () => {
    expect(() => generateSdk(change('getOrder', { sdk: 'orders.list' }))).toThrow(
      'Two operations have the SDK name orders.list',
    );
  });

  it('a name that is an operation and a group', () => {
    expect(() => generateSdk(change('getOrder', { sdk: 'orders.list.one' }))).toThrow(
      'orders.list is an operation and a group',
    );
  });

  it('a name without a group', () => {
    expect(() => generateSdk(change('getOrder', { sdk: 'order' }))).toThrow(
      'The SDK name order has no group',
    );
  });

  it('two schemas with the same title', () => {
    const response = Type.Object({ other: Type.String() }, { title: 'Strain' });
    expect(() => generateSdk(change('getOrder', { response }))).toThrow('both called Strain');
  });

  it('a path parameter without a schema', () => {
    expect(() => generateSdk(change('getOrder', { path: '/dapp/orders/{id}' }))).toThrow(
      'getOrder has no schema for its path parameter id',
    );
  });

  it('a method to write by hand that has no operation', () => {
    expect(() => generateSdk(change('exportOrders', { sdk: 'orders.download' }))).toThrow(
      'There is no operation orders.export to write by hand',
    );
  });
});
