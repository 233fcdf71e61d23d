import type { OrderExport } from '@keyfront/sdk';

/** An order of an export. */
export type Order = OrderExport extends AsyncIterable<infer Each> ? Each : never;
