import { readdirSync, readFileSync } from 'node:fs';
import { type Operation, operationList, operations } from '@keyfront/protocol';
import { Type } from 'typebox';
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
    { id: Type.String({ description: 'Id of the shipment' }) },
    { title: 'Shipment', description: 'A parcel' },
  );
  const listShipments: Operation = {
    ...operations.getOrder,
    id: 'listShipments',
    path: '/dapp/orders/{orderId}/shipments',
    sdk: 'shipments.list',
    summary: 'List shipments',
    description: 'Newest first.',
    query: Type.Object({ carrier: Type.Optional(Type.String({ description: 'Only this carrier' })) }),
    response: Type.Object({ shipments: Type.Array(shipment) }, { title: 'ShipmentList' }),
    errors: ['NOT_OWNED'],
  };
  const files = generateSdk([...operationList, listShipments]);

  it('has its route', () => {
    expect(files.get('operations.ts')).toContain(
      "  listShipments: { method: 'GET', path: '/dapp/orders/{orderId}/shipments', retry: 'safe' },\n",
    );
  });

  it('has its types, with documentation', () => {
    expect(files.get('types.ts')).toContain(
      '/** A parcel */\nexport interface Shipment {\n  /** Id of the shipment */\n  id: string;\n}\n',
    );
    expect(files.get('types.ts')).toContain(`/** Query of \`GET /dapp/orders/{orderId}/shipments\` */
export type ListShipmentsQuery = {
  /** Only this carrier */
  carrier?: string;
};
`);
  });

  it('has a method in a group of the client', () => {
    expect(files.get('resources.ts')).toContain(`export class ShipmentsResource extends Resource {
  /**
   * List shipments.
   *
   * Newest first.
   *
   * \`GET /dapp/orders/{orderId}/shipments\`
   *
   * @throws ForbiddenError \`NOT_OWNED\`
   * @throws NotFoundError \`RESOURCE_NOT_FOUND\`
   */
  list(
    orderId: string,
    query: ListShipmentsQuery = {},
    options?: CallOptions,
  ): PageList<ShipmentList, Shipment> {
    return this.client.list(operations.listShipments, 'shipments', { parameters: [orderId], query }, options);
  }
}
`);
    expect(files.get('client-resources.ts')).toContain('  readonly shipments: ShipmentsResource;\n');
  });

  it('is in the catalogue', () => {
    expect(files.get('catalogue.ts')).toContain("sdk: 'shipments.list'");
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
