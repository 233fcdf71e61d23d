import { type Operation, operationList } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { openOperationRequests } from '../support/operation-requests.ts';
import { openSandbox } from '../support/storefront.ts';

/** Every other name of a field in the operation table. A request with both names must say the same twice. */

const storefront = await openSandbox();
const { holder, admin } = storefront;
const requests = await openOperationRequests(storefront, 1);

function listAliases(part: Operation['query']) {
  return Object.entries(part?.properties ?? {}).flatMap(([alias, schema]) => {
    const name = (schema as unknown as Record<string, unknown>)['x-alias-of'];
    return typeof name === 'string' ? [[alias, name] as const] : [];
  });
}

describe('in a query', () => {
  /** Two values of each pair. */
  const values: Readonly<Record<string, readonly [string, string]>> = {
    take: ['5', '6'],
    countryCode: ['PRT', 'ZAF'],
    isKYCVerified: ['true', 'false'],
  };
  const pairs = operationList.flatMap((operation) =>
    listAliases(operation.query).map(([alias, name]) => [operation.id, alias, name, operation] as const),
  );

  it.each(pairs)('%s accepts %s beside %s only if they are the same', async (_id, alias, name, operation) => {
    const { path, access, query, example } = operation;
    const caller = access === 'administrator' ? admin : access === 'jwt' ? holder.signedIn : holder;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => String(example.parameters?.[each]));
    const ask = (fields: Record<string, string>) => {
      const required = (query?.required ?? []).map((each: string) => [each, '']);
      const parameters = new URLSearchParams({ ...Object.fromEntries(required), ...fields });
      return caller.ask('GET', `${filled}?${parameters}`);
    };
    const [one, other] = values[name] ?? ['', ''];
    // An example that does not exist is a 404, after the input was accepted.
    expect((await ask({ [alias]: one, [name]: one })).envelope.code).not.toBe('VALIDATION_FAILED');
    const { status, envelope } = await ask({ [alias]: one, [name]: other });
    expect([status, envelope.data]).toEqual([400, [`${alias} must be the same as ${name}`]]);
  });

  it('means the same for two codes of one country', async () => {
    expect((await holder.ask('GET', '/dapp/strains?country=pt&countryCode=PRT')).status).toBe(200);
  });

  it.each(['/dapp/clients', '/admin/clients'])(
    '%s refuses a status that contradicts isActive',
    async (path) => {
      const caller = path.startsWith('/admin') ? admin : holder;
      for (const query of [
        'status=ACTIVE&isActive=true',
        'status=INACTIVE&isActive=false',
        'status=&isActive=true',
      ])
        expect([query, (await caller.ask('GET', `${path}?${query}`)).status]).toEqual([query, 200]);
      for (const query of ['status=ACTIVE&isActive=false', 'status=INACTIVE&isActive=true']) {
        const { status, envelope } = await caller.ask('GET', `${path}?${query}`);
        expect([status, envelope.data]).toEqual([400, ['status must be the same as isActive']]);
      }
    },
  );
});

describe('in a body', () => {
  const pairs = operationList.flatMap((operation) =>
    listAliases(operation.body).map(([alias, name]) => [operation.id, alias, name] as const),
  );

  it.each(pairs)('%s accepts %s beside %s only if they are the same', async (id, alias, name) => {
    const both = (body: object): Record<string, unknown> => {
      const fields = body as Record<string, unknown>;
      return { ...fields, [alias]: fields[name], [name]: fields[name] };
    };
    const accepted = await (await requests.prepare(id, { change: both }))();
    expect([accepted.text, accepted.status]).toEqual([accepted.text, 201]);
    const differ = (body: object) => {
      const { [name]: value, ...rest } = both(body);
      return {
        ...rest,
        [name]: typeof value === 'string' ? `${value}2` : [...(value as object[]), ...(value as object[])],
      };
    };
    const { status, envelope } = await (await requests.prepare(id, { change: differ }))();
    expect([status, envelope.data]).toEqual([400, [`${alias} must be the same as ${name}`]]);
  });

  it('is compared in the items of an order too, whatever the case of the ids', async () => {
    const send = (other: (id: string) => string) =>
      requests.prepare('createOrder', {
        change: (body) => {
          const strainId = '01920000-0000-7000-8000-00000000000a';
          return { ...body, items: [{ strainId, productId: other(strainId), quantity: 1 }] };
        },
      });
    const same = await (await send((id) => id.toUpperCase()))();
    expect(same.envelope.code).not.toBe('VALIDATION_FAILED');
    const { status, envelope } = await (await send((id) => id.replace('a', 'b')))();
    expect([status, envelope.data]).toEqual([400, ['items.0.productId must be the same as strainId']]);
  });

  it('is known for keys and carts', () => {
    expect(pairs.map(([id, alias]) => `${id} ${alias}`)).toEqual(['createKey label', 'addToCart items']);
  });
});
