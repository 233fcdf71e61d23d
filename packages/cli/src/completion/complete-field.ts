import type { FieldDescription } from '@keyfront/sdk/operations';
import { findOperation } from '../api-catalogue.ts';
import type { Candidate } from './completers.ts';

/** Completes `name=value` for the query or the body of an operation. The value completes if it is enumerated. */
export function completeField(
  part: 'query' | 'body',
  method: string,
  path: string | undefined,
  typed: string,
): Candidate[] {
  const fields: Readonly<Record<string, FieldDescription>> = findOperation(method, path ?? '')?.[part] ?? {};
  const at = typed.indexOf('=');
  if (at < 0) return Object.keys(fields).map((name) => ({ value: `${name}=` }));
  const name = typed.slice(0, at);
  const values = fields[name]?.values ?? [];
  return values.filter((value) => value !== '').map((value) => ({ value: `${name}=${value}` }));
}
