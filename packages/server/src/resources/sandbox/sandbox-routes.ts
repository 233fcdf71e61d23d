import { sandboxOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import type { LinkSettings } from '../providers/return-url.ts';
import { createResetTurns, resetDigitalKey } from './reset-digital-key.ts';
import {
  actAsAdministrator,
  changeOwnOrder,
  decideOwnClient,
  reportOwnKyc,
  reportOwnPayment,
  shipOwnOrder,
} from './sandbox-rules.ts';

interface SandboxDependencies {
  readonly payments: LinkSettings;
  readonly kycLinks: ProviderLinks;
}

/** Adds what exists only in a sandbox. */
export function addSandboxRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
  { payments, kycLinks }: SandboxDependencies,
): void {
  const after = () => catalogue.clearStock();
  // Holders lack the privileges for what follows, so nothing of it runs in a transaction of theirs, which would store the nonce of a signed
  // request. It is stored before, so that a repeated request changes nothing.
  const once =
    <Call extends { readonly scope: HolderScope }, Result>(handle: (call: Call) => Promise<Result>) =>
    async (call: Call): Promise<Result> => {
      if (call.scope.nonce?.isFree) await database.transaction(call.scope, async () => undefined);
      return handle(call);
    };

  router.add(
    sandboxOperations.updateSandboxClient,
    once(({ scope, parameters, body }) =>
      decideOwnClient(database, scope, parameters.clientId, body, kycLinks),
    ),
  );
  router.add(
    sandboxOperations.reportSandboxKyc,
    once(({ scope, parameters, body }) => reportOwnKyc(database, scope, parameters.clientId, body)),
  );
  router.add(
    sandboxOperations.updateSandboxOrder,
    once(({ scope, parameters, body }) => changeOwnOrder(database, scope, parameters.orderId, body)),
    { after },
  );
  router.add(
    sandboxOperations.reportSandboxPayment,
    once(({ scope, parameters, body }) =>
      reportOwnPayment(database, scope, parameters.orderId, body, payments),
    ),
  );
  router.add(
    sandboxOperations.createSandboxShipment,
    once(({ scope, tx, parameters, body }) => shipOwnOrder(scope, tx, parameters.orderId, body)),
    // The parcel and its Idempotency-Key are stored together: a second parcel with the same key would be one more.
    { transactionScope: actAsAdministrator },
  );
  router.add(
    sandboxOperations.resetSandbox,
    once(({ scope, body }) => resetDigitalKey(database, scope, body)),
    // Longer than a transaction may wait. It is safe to repeat.
    { after, hasOwnTransactions: true, inTurn: createResetTurns(database) },
  );
}
