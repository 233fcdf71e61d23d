import { operations } from '../generated/operations.ts';
import type { OperationRoute } from './operation-route.ts';

/** The operation that a method and a path with its parameters filled in belong to; undefined if there is none. */
export function findOperation(method: string, path: string): OperationRoute | undefined {
  const segments = splitPath(path);
  return Object.values(operations)
    .filter((route) => route.method === method.toUpperCase() && matches(splitPath(route.path), segments))
    .toSorted((a, b) => countParameters(a) - countParameters(b))[0];
}

/** The service accepts the version prefix in the path too. */
function splitPath(path: string): string[] {
  const [address = ''] = path.split(/[?#]/);
  return address
    .replace(/^\/?api\/v1(?=\/)/, '')
    .split('/')
    .filter(Boolean);
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((segment, at) => isParameter(segment) || segment === segments[at])
  );
}

/** `/dapp/orders/summary` is not an order with the id `summary`. */
function countParameters({ path }: OperationRoute): number {
  return splitPath(path).filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
