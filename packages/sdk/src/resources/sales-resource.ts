import type { CallOptions } from '../call-options.ts';
import { operations } from '../generated/operations.ts';
import { GeneratedSalesResource } from '../generated/resources.ts';
import type { Sale, SaleChange } from '../generated/types.ts';

/** The sales pipeline of a digital key: leads, ongoing, closed. */
export class SalesResource extends GeneratedSalesResource {
  /**
   * Update sales stage.
   *
   * Changes the stage, the description or both. Pass `null` instead of an id to update the sale of the digital key itself,
   * which always exists and belongs to no client.
   *
   * `PATCH /dapp/sales`
   *
   * @throws ForbiddenError `HOLDER_REQUIRED`, `NOT_OWNED`
   * @throws NotFoundError `RESOURCE_NOT_FOUND`
   */
  update(id: string | null, saleChange: SaleChange, options?: CallOptions): Promise<Sale> {
    // Explicit null: a sale id that is undefined by mistake must not change the sale of the digital key.
    const query = id === null ? {} : { id };
    return this.client.call(operations.updateSale, { query, body: saleChange }, options);
  }
}
