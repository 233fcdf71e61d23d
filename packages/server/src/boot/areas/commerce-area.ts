import type { FileStore } from '@keyfront/file-store';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { addAuditRoutes } from '../../resources/audit/audit-routes.ts';
import { addCartRoutes } from '../../resources/carts/cart-routes.ts';
import { addClientRoutes } from '../../resources/clients/client-routes.ts';
import { createMedicalRecords } from '../../resources/clients/medical-records.ts';
import { addDashboardRoutes } from '../../resources/dashboard/dashboard-routes.ts';
import { addKycRoutes } from '../../resources/kyc/kyc-routes.ts';
import { addOrderRoutes } from '../../resources/orders/order-routes.ts';
import { addPaymentRoutes } from '../../resources/payments/payment-routes.ts';
import type { ProviderLinks } from '../../resources/providers/provider-links.ts';
import { addSaleRoutes } from '../../resources/sales/sale-routes.ts';
import { addSandboxRoutes } from '../../resources/sandbox/sandbox-routes.ts';
import type { Area } from './area.ts';

export interface CommerceDependencies {
  /** Encrypts medical records. Null: they are refused. */
  readonly dataCipher: DataCipher | null;
  readonly paymentLinks: ProviderLinks;
  readonly sellerName: string;
  /** Where archived orders are. Null: nowhere. */
  readonly archiveStore: FileStore | null;
}

/** Clients, identity checks, carts, sales, orders and payments, and what administrators see of them. */
export function addCommerce(
  { router, database, catalogueCache, kycLinks, isDemo, isSandbox }: Area,
  { dataCipher, paymentLinks, sellerName, archiveStore }: CommerceDependencies,
): void {
  // Developers begin on their own machine.
  const allowsLoopbackReturn = isDemo || isSandbox;
  addAuditRoutes(router, database);
  const medicalRecords = createMedicalRecords(dataCipher);
  addClientRoutes(router, database, { kycLinks, medicalRecords, archiveStore });
  addKycRoutes(router, database, { links: kycLinks, allowsLoopbackReturn });
  addCartRoutes(router, database);
  addSaleRoutes(router, database);
  addDashboardRoutes(router, database);
  const payments = { links: paymentLinks, allowsLoopbackReturn };
  addOrderRoutes(router, database, catalogueCache, {
    payments,
    kycLinks,
    archiveStore,
    sellerName,
    isSandbox,
  });
  addPaymentRoutes(router, database, payments);
  if (isSandbox) addSandboxRoutes(router, database, catalogueCache, { payments, kycLinks });
}
