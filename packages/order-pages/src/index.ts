export { renderInvoice } from './invoice.ts';
export { renderPackingSlip } from './packing-slip.ts';
