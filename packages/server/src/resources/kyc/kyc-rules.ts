import type { KycLink, KycLinkRequest, KycReport, KycReportResult } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import { auditChange } from '../audit/audit-rules.ts';
import { throwClientNotInScope } from '../clients/client-rules.ts';
import { checkReturnUrl, type LinkSettings } from '../providers/return-url.ts';
import { explainTransition, kycTransitions } from '../states/transitions.ts';
import { lockCheckedClient, replaceKycReference, updateKycStatus } from './kyc-queries.ts';

/** Gives a client a new link, and starts their identity check again. */
export async function createKycLink(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
  { returnUrl }: KycLinkRequest,
  settings: LinkSettings,
): Promise<KycLink> {
  const { links } = settings;
  if (returnUrl !== undefined) checkReturnUrl(returnUrl, settings);
  if (!links.isConfigured) {
    throw new ApiError('PROVIDER_NOT_CONFIGURED', {
      message: 'The operator of this service has set up no identity provider',
    });
  }
  const record = await replaceKycReference(tx, scope, clientId, returnUrl ?? null);
  if (!record) return throwClientNotInScope(database, clientId);
  const { kycReference, kycReturnUrl, ...state } = record;
  return { clientId, kycLink: links.link(kycReference, { returnUrl: kycReturnUrl ?? '' }), ...state };
}

/** Applies the report of the identity provider, with an audit row. */
export async function applyKycReport(
  tx: RunInTransaction,
  { reference, status }: KycReport,
): Promise<KycReportResult> {
  const client = await lockCheckedClient(tx, reference);
  if (!client) throw notFound('Reference');
  const { clientId, kycStatus: before } = client;
  const reason = explainTransition('An identity check', kycTransitions.PROVIDER, before, status);
  if (reason !== null) throw new ApiError('KYC_TRANSITION_REFUSED', { message: reason });
  if (status !== before) {
    updateKycStatus(tx, clientId, status);
    auditChange(tx, { provider: 'KYC' }, 'CLIENT', clientId, {
      before: { kycStatus: before, isKYCVerified: before === 'VERIFIED' },
      after: { kycStatus: status, isKYCVerified: status === 'VERIFIED' },
    });
  }
  return { reference, status };
}
