import { type Operation, operationList } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openOperationRequests } from '../support/operation-requests.ts';
import { openSandbox } from '../support/storefront.ts';

/** What holds for every field of a body in the operation table. */

const storefront = await openSandbox();
const requests = await openOperationRequests(storefront, 1);

type Schema = Readonly<Record<string, unknown>>;

const allowsNull = ({ type, anyOf }: Schema): boolean =>
  [type].flat().includes('null') || ((anyOf as Schema[] | undefined)?.some(allowsNull) ?? false);
const fieldsOf = ({ body }: Operation) =>
  Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    name,
    schema: schema as unknown as Schema,
    isRequired: (body?.required as readonly string[] | undefined)?.includes(name) ?? false,
  }));
const withBody = operationList.filter(({ body, ignoresUnknownBody }) => body && !ignoresUnknownBody);

const optional = withBody.flatMap((operation) =>
  fieldsOf(operation)
    .filter(({ schema, isRequired }) => !isRequired && !allowsNull(schema))
    .map(({ name }) => [operation.id, name] as const),
);

it.each(optional)('%s reads null as the absence of %s', async (id, name) => {
  const respond = async (change: (body: object) => object) => {
    const { status, envelope } = await (await requests.prepare(id, { change }))();
    const { code = null, message, data } = envelope;
    return { status, code, message, data: status < 400 ? Object.keys(data as object) : data };
  };
  const absent = await respond((body) =>
    Object.fromEntries(Object.entries(body).filter(([each]) => each !== name)),
  );
  expect(await respond((body) => ({ ...body, [name]: null }))).toEqual(absent);
});

const required = withBody.flatMap((operation) =>
  fieldsOf(operation)
    .filter(({ schema, isRequired }) => isRequired && !allowsNull(schema))
    .map(({ name }) => [operation.id, name] as const),
);

it.each(required)('%s refuses null in %s, which is required', async (id, name) => {
  const send = await requests.prepareRefused(id, { change: (body) => ({ ...body, [name]: null }) });
  const { status, envelope } = await send();
  expect([status, envelope.data]).toEqual([400, [expect.stringMatching(new RegExp(`^${name} must be `))]]);
});
