import { validationFailed } from './api-error.ts';

/** Refuses a change that names no field of its schema: it was misspelt, or meant for something else. */
export function requireAnyField(
  schema: { readonly properties: object },
  change: object,
  path = 'body',
): void {
  if (Object.keys(schema.properties).some((name) => Object.hasOwn(change, name))) return;
  throw validationFailed([`${path} must have at least 1 of its fields`]);
}
