import type { Candidate } from './completers.ts';

/** A path of the API with `{name}` for parameters, as `/dapp/orders/{orderId}`. */
export interface ApiPath {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/**
 * Completes a path of the API. Parameters that were typed are kept: `/dapp/orders/42/h` becomes
 * `/dapp/orders/42/history`. A candidate ends where the next parameter begins, because only the user knows its value.
 */
export function completePath(paths: readonly ApiPath[], method: string, typed: string): Candidate[] {
  const prefix = typed.startsWith('/') ? typed : `/${typed}`;
  const candidates = new Map<string, string>();
  for (const { path, summary, ...each } of paths) {
    if (each.method !== method) continue;
    const value = extendPath(path.split('/'), prefix.split('/'));
    // Several paths may continue behind the same parameter. The first one describes them all.
    if (value !== null && !candidates.has(value)) candidates.set(value, summary);
  }
  return [...candidates].map(([value, description]) => ({ value, description }));
}

/** The typed path, extended along the template to its end or to the next parameter. Null if they do not match. */
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
  const kept = isParameter(current) ? typed : [...typed.slice(0, -1), current];
  // The value of the current parameter has not been typed yet.
  if (isParameter(current) && typed[last] === '') return typed.join('/');
  const rest = template.slice(typed.length);
  const nextParameter = rest.findIndex(isParameter);
  return [...kept, ...(nextParameter < 0 ? rest : [...rest.slice(0, nextParameter), ''])].join('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
