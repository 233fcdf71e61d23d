import { type Operation, operationList } from '@keyfront/protocol';
import { type OperationCall, operationCalls } from './operation-calls.ts';
import type { Reply, Storefront, TestCaller, TestHolder } from './storefront.ts';

export type Send = () => Promise<Reply>;

export interface OperationRequests {
  /** The ids of all operations, and ids with words behind them for variants. */
  readonly names: string[];
  /** A request that succeeds, and that has not been made before. */
  prepare(name: string, options?: RequestOptions): Promise<Send>;
  /** A request that the service refuses. Its resources are made once for each name, because nothing changes them. */
  prepareRefused(name: string, options: RequestOptions): Promise<Send>;
}

interface RequestOptions {
  readonly caller?: TestCaller;
  /** How the usual holder comes, in place of a simple signature. */
  readonly as?: 'signedIn' | 'bound';
  readonly idempotencyKey?: string;
  /** In place of the id of a resource that exists. */
  readonly id?: string;
  /** In place of a valid body. */
  readonly body?: unknown;
  /** Changes the valid body. */
  readonly change?: (body: object, id: string) => object;
  /** Sends the body with white space: other bytes with the same meaning. */
  readonly isIndented?: boolean;
  readonly headers?: Record<string, string>;
  /** In place of the address of the operation. */
  readonly address?: { readonly method: string; readonly path: string };
}

/** Valid requests of every operation, each by a caller who may make it; signed where the operation accepts that. */
export async function openOperationRequests(
  storefront: Storefront,
  length: number,
): Promise<OperationRequests> {
  const { holder, admin, nobody, providers } = storefront;
  const calls = await operationCalls(storefront, length);
  const callers: Record<Exclude<Operation['access'], 'provider'>, TestCaller> = {
    public: nobody,
    credential: holder,
    jwt: holder.signedIn,
    administrator: admin,
  };
  const makeCall = async (name: string) => {
    const call = await calls[name]?.();
    if (!call) throw new Error(`There is no call for ${name}`);
    return call;
  };
  const prepareCall = (name: string, call: OperationCall, options: RequestOptions) => {
    const { access, provider = 'KYC', ...operation } = findOperation(name);
    const { method, path } = options.address ?? operation;
    const usual = access === 'provider' ? providers[provider] : callers[access];
    const ofCall = call.caller ?? usual;
    const own = options.as ? (isHolder(ofCall) ? ofCall : holder)[options.as] : ofCall;
    const { caller = own, idempotencyKey } = options;
    const {
      id = '',
      query,
      body,
      headers,
    } = { ...call, ...(options.id === undefined ? {} : { id: options.id }) };
    const valid = options.isIndented ? JSON.stringify(body, null, 2) : body;
    const content = options.body ?? options.change?.(body ?? {}, id) ?? valid;
    const filled = path
      .replace(/\{\w+\}/, id)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => call.otherParameters?.[name] ?? '');
    return caller.prepare(method, filled + (query === undefined ? '' : `?${query}`), {
      ...(content === undefined ? {} : { body: content }),
      headers: {
        ...headers,
        ...options.headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
  };
  const refusedCalls = new Map<string, Promise<OperationCall>>();
  return {
    names: Object.keys(calls),
    prepare: async (name, options = {}) => prepareCall(name, await makeCall(name), options),
    prepareRefused: async (name, options) => {
      const call = refusedCalls.get(name) ?? makeCall(name);
      refusedCalls.set(name, call);
      return prepareCall(name, await call, options);
    },
  };
}

export const isHolder = (caller: TestCaller): caller is TestHolder => 'bound' in caller;

/** The operation that a name is a variant of. */
export function findOperation(name: string): Operation {
  const id = idOf(name);
  const operation = operationList.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
}

/** The id of the operation that a name is a variant of. */
export const idOf = (name: string): string => name.replace(/ .*/, '');
