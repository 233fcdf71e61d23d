import type { OpenApiDocument, OpenApiOperation } from '@keyfront/api-reference';
import { operationCalls } from './operation-calls.ts';
import type { Reply, Storefront, TestCaller } from './storefront.ts';

export type Send = () => Promise<Reply>;

export interface OperationRequests {
  /** The ids that the service documents. */
  readonly documented: string[];
  /** What can be prepared: the ids, and ids with words behind them for another way through the operation. */
  readonly names: string[];
  find(name: string): DocumentedOperation;
  /** A request that succeeds, and that has not been made before. */
  prepare(name: string, options?: RequestOptions): Promise<Send>;
}

interface DocumentedOperation extends Pick<OpenApiOperation, 'operationId' | 'security'> {
  readonly method: string;
  /** Relative to the version prefix. */
  readonly path: string;
}

interface RequestOptions {
  readonly caller?: TestCaller;
  readonly idempotencyKey?: string;
}

/** Requests of every operation, each by a caller whom it is for; by the holder who signs where it can be. */
export async function openOperationRequests(
  storefront: Storefront,
  length: number,
): Promise<OperationRequests> {
  const { holder, admin, nobody, service } = storefront;
  const operations = await readOperations(service.origin);
  const calls = await operationCalls(storefront, length);

  const find = (name: string): DocumentedOperation => {
    const operation = operations.find(({ operationId }) => operationId === idOf(name));
    if (!operation) throw new Error(`The service documents no ${name}`);
    return operation;
  };
  const callerOf = (operation: DocumentedOperation): TestCaller => {
    if (operation.security.length === 0) return nobody;
    if (operation.path.startsWith('/admin/')) return admin;
    return takesSignature(operation) ? holder : holder.signedIn;
  };
  return {
    documented: operations.map(({ operationId }) => operationId),
    names: Object.keys(calls),
    find,
    prepare: async (name, { caller = callerOf(find(name)), idempotencyKey } = {}) => {
      const { method, path } = find(name);
      const call = await calls[name]?.();
      if (!call) throw new Error(`Nobody has said how to call ${name}`);
      const { id = '', query, body, headers } = call;
      return caller.prepare(method, path.replace(/\{\w+\}/, id) + (query === undefined ? '' : `?${query}`), {
        ...(body === undefined ? {} : { body }),
        headers: {
          ...headers,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
      });
    },
  };
}

/** The operation that a name is a way through. */
export const idOf = (name: string): string => name.replace(/ .*/, '');

export const takesSignature = ({ security }: DocumentedOperation): boolean =>
  security.some((scheme) => 'signature' in scheme);

export const takesIdempotencyKey = ({ method, security }: DocumentedOperation): boolean =>
  method === 'POST' && security.length > 0;

async function readOperations(origin: string): Promise<DocumentedOperation[]> {
  const { paths } = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      operationId,
      security,
      method: method.toUpperCase(),
      path: path.replace('/api/v1', ''),
    })),
  );
}
