import type { Sale } from '@keyfront/sdk';

/** The sale that is being dragged. A browser shows the data of a drag only to the drop, and columns must know it before. */
export const draggedSale: { current: Sale | null } = { current: null };
