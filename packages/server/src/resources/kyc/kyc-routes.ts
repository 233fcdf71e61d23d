import { kycOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { LinkSettings } from '../providers/return-url.ts';
import { applyKycReport, createKycLink } from './kyc-rules.ts';

export function addKycRoutes(router: OperationRouter, database: Database, settings: LinkSettings): void {
  router.add(kycOperations.createKycLink, ({ scope, parameters, body, tx }) =>
    createKycLink(tx, database, scope, parameters.clientId, body, settings),
  );
  router.add(kycOperations.reportKyc, ({ body, tx }) => applyKycReport(tx, body));
}
