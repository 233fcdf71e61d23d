import { findViolatedConstraint } from '@keyfront/postgres';
import { maximumMetadataNames } from '@keyfront/protocol';
import { type ApiError, validationFailed } from '../../lib/errors/api-error.ts';

/** Composes the metadata after a change: names that the change does not have stay, and null removes a name. */
export const mergeMetadata = (change: string, stored: string): string =>
  `jsonb_strip_nulls(${stored} || coalesce(${change}, '{}'))`;

/** Returns the 400 if a change failed because the resource would then have too many names. Otherwise null. */
export function explainMetadata(error: unknown): ApiError | null {
  if (findViolatedConstraint(error) !== 'metadata_names') return null;
  return validationFailed([
    `metadata must not have more than ${maximumMetadataNames} names, with those it has`,
  ]);
}
