import type { Operation } from '@keyfront/protocol';
import { capitalise } from './capitalise.ts';

/** Operations whose SDK names begin with the same words, such as `admin.strains`. */
export interface OperationGroup {
  /** Those words. */
  readonly path: string;
  /** The last of them. */
  readonly name: string;
  readonly className: string;
  readonly methods: ReadonlyMap<string, Operation>;
  readonly groups: readonly OperationGroup[];
}

/** An operation that the SDK has a method for. */
export type SdkOperation = Operation & {
  readonly sdk: string;
  readonly access: Exclude<Operation['access'], 'provider'>;
};

/** Whether the SDK has a method for an operation. It has none for the callbacks of providers. */
export function hasMethod(operation: Operation): operation is SdkOperation {
  return operation.access !== 'provider' && operation.sdk !== undefined;
}

/** Sorts operations into groups by their SDK names. */
export function groupOperations(operations: readonly SdkOperation[]): readonly OperationGroup[] {
  return groupAt(
    operations.map((operation) => [operation.sdk.split('.'), operation] as const),
    [],
  ).groups;
}

type Entry = readonly [words: readonly string[], operation: SdkOperation];

function groupAt(entries: readonly Entry[], path: readonly string[]): OperationGroup {
  const methods = new Map<string, Operation>();
  const inner = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [words, operation] = entry;
    const [word = '', ...rest] = words.slice(path.length);
    if (rest.length > 0) inner.set(word, [...(inner.get(word) ?? []), entry]);
    else if (methods.has(word)) throw new Error(`Two operations have the SDK name ${operation.sdk}`);
    else methods.set(word, operation);
  }
  for (const name of inner.keys()) {
    if (methods.has(name)) throw new Error(`${[...path, name].join('.')} is an operation and a group`);
  }
  if (path.length === 0 && methods.size > 0) {
    throw new Error(`The SDK name ${[...methods.keys()].join(', ')} has no group`);
  }
  return {
    path: path.join('.'),
    name: path.at(-1) ?? '',
    className: `${path.map(capitalise).join('')}Resource`,
    methods,
    groups: [...inner]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => groupAt(each, [...path, name])),
  };
}
