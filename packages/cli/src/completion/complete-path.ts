import { listOperations } from '../api-catalogue.ts';
import type { Candidate } from './completers.ts';

/**
 * Completes a path of the API. Values of parameters that were typed stay: `/dapp/orders/42/h` becomes
 * `/dapp/orders/42/history`. A candidate ends where the next parameter begins, because only the user knows its value.
 */
export function completePath(method: string, typed: string): Candidate[] {
  const candidates = new Map<string, string>();
  for (const { path, summary } of listOperations(method)) {
    const value = extendPath(path.split('/'), typed.split('/'));
    // Several paths may continue behind the same parameter. The first one describes them all.
    if (value !== null && !candidates.has(value)) candidates.set(value, summary);
  }
  return [...candidates].map(([value, description]) => ({ value, description }));
}

/** Extends the typed path along a template to its end or to the next parameter. Null if they do not match. */
function extendPath(template: readonly string[], typed: readonly string[]): string | null {
  if (typed.length > template.length) return null;
  const last = typed.length - 1;
  const isMatch = typed.every((segment, index) => {
    const expected = template[index] ?? '';
    if (isParameter(expected)) return index === last || segment !== '';
    return index === last ? expected.startsWith(segment) : expected === segment;
  });
  if (!isMatch) return null;
  const current = template[last] ?? '';
  // The value of the current parameter has not been typed yet.
  if (isParameter(current) && typed[last] === '') return typed.join('/');
  const completed = isParameter(current) ? typed : [...typed.slice(0, -1), current];
  const rest = template.slice(typed.length);
  const nextParameter = rest.findIndex(isParameter);
  return [...completed, ...(nextParameter < 0 ? rest : [...rest.slice(0, nextParameter), ''])].join('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
