import { kycOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import { applyKycReport, createKycLink } from './kyc-rules.ts';

export function addKycRoutes(router: OperationRouter, database: Database, kycLinks: ProviderLinks): void {
  router.add(kycOperations.createKycLink, ({ scope, parameters, tx }) =>
    createKycLink(tx, database, scope, parameters.clientId, kycLinks),
  );
  router.add(kycOperations.reportKyc, ({ body, tx }) => applyKycReport(tx, body));
}
