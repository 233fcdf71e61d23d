import { type ClientListQuery, clientSearchFields } from '@keyfront/protocol';
import { validationFailed } from '../../lib/errors/api-error.ts';
import type { ClientFilter } from './client-list-queries.ts';

/** Reads the filter of a query, or throws the 400. An empty value means no filter. */
export function readClientFilter(query: ClientListQuery): ClientFilter {
  const { search, searchBy, status, adminApproval, email, externalReference, orderBy } = query;
  const isActive = readYesOrNo(query.isActive);
  // Two names for one thing, with values of their own.
  if (status && isActive !== null && isActive !== (status === 'ACTIVE')) {
    throw validationFailed(['status must be the same as isActive']);
  }
  return {
    search: search ? { text: search, by: searchBy ? [searchBy] : clientSearchFields } : null,
    adminApproval: adminApproval || null,
    isActive: isActive ?? (status ? status === 'ACTIVE' : null),
    isKYCVerified: readYesOrNo(query.isKYCVerified ?? query.kyc),
    email: email ?? null,
    externalReference: externalReference ?? null,
    direction: orderBy || 'desc',
  };
}

function readYesOrNo(value: 'true' | 'false' | undefined): boolean | null {
  return value === undefined ? null : value === 'true';
}
