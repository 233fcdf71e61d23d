import { kycOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import { applyKycReport, createKycLink } from './kyc-rules.ts';

export function bindKyc(binder: OperationBinder, database: Database, kycLinks: ProviderLinks): void {
  binder.bind(kycOperations.createKycLink, ({ scope, parameters, run }) =>
    createKycLink(run, database, requireHolder(scope), parameters.clientId, kycLinks),
  );
  binder.bind(kycOperations.reportKyc, ({ body, run }) => applyKycReport(run, body));
}
