import { type Operation, operationList, textPatterns } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { routeAliases } from '../../packages/server/src/boot/route-aliases.ts';
import { openOperationRequests } from '../support/operation-requests.ts';
import { openSandbox } from '../support/storefront.ts';

/**
 * Every id in a query, a body or a path of the operation table. A storefront whose variable is undefined sends an empty one, which
 * must never mean all clients.
 */

const storefront = await openSandbox();
const { holder, admin, providers } = storefront;
const requests = await openOperationRequests(storefront, 1);

const { tokenId, eventId, ethereumAddress } = textPatterns;
const idPatterns: readonly unknown[] = [tokenId.pattern, eventId.pattern, ethereumAddress.pattern];

function listIds(part: Operation['query']): string[] {
  return Object.entries(part?.properties ?? {}).flatMap(([name, schema]) => {
    const { format, pattern } = schema as Record<string, unknown>;
    const isId = /(^id|Ids?)$/.test(name) || format === 'uuid' || idPatterns.includes(pattern);
    return isId ? [name] : [];
  });
}

const inQueries = operationList.flatMap((operation) =>
  listIds(operation.query).map((name) => [operation.id, name, operation] as const),
);
const inBodies = operationList.flatMap((operation) =>
  listIds(operation.body).map((name) => [operation.id, name] as const),
);

it('is found in the table', () => {
  const found = inQueries.map(([id, name]) => `${id} ${name}`);
  for (const each of [
    'listOrders clientId',
    'listOrders clientIds',
    'listCarts clientId',
    'addToCart clientId',
    'updateSale id',
    'deleteFromCart strainId',
    'listAdminClients tokenId',
    'listEvents after',
    'listAudit subjectId',
  ])
    expect(found).toContain(each);
  expect(inBodies.map(([id, name]) => `${id} ${name}`)).toContain('createOrder clientId');
});

it.each(inQueries)('%s refuses an empty %s in its query', async (_id, name, operation) => {
  const { method, access, example } = operation;
  const callers = { administrator: admin, jwt: holder.signedIn, provider: providers.KYC };
  const caller = access === 'credential' || access === 'public' ? holder : callers[access];
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, each: string) =>
    String(example.parameters?.[each]),
  );
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: example.body };
  for (const query of [`${name}=`, name, `take=1&${name}=&page=1`]) {
    const { status, envelope } = await caller.ask(method, `${path}?${query}`, body);
    expect([query, status, envelope.data]).toEqual([query, 400, [`${name} should not be empty`]]);
  }
});

it.each(inBodies)('%s refuses an empty %s in its body', async (id, name) => {
  const send = await requests.prepareRefused(id, { change: (body) => ({ ...body, [name]: '' }) });
  const { status, envelope } = await send();
  expect(status).toBe(400);
  // A token id is a number.
  expect(envelope.data).toEqual([
    expect.stringMatching(new RegExp(`^${name} (should not be empty|must be an integer)`)),
  ]);
});

it.each(
  [
    ...operationList.filter(({ parameters }) => parameters),
    ...routeAliases.filter(({ path }) => path.includes('{')),
  ].map(
    ({ method, path, ...rest }) => [method, path, 'operation' in rest ? rest.operation : rest.id] as const,
  ),
)('%s %s does not exist without its id', async (method, path, id) => {
  const send = await requests.prepareRefused(id, { id: '', address: { method, path } });
  const { status, envelope } = await send();
  expect([path, [400, 404, 405].includes(status), envelope.success]).toEqual([path, true, false]);
});
