import { customerCount } from './peers/shop.ts';

/** The size of the store and the length of the runs. */
export interface Sizes {
  /** Orders of the large holder. */
  readonly orders: number;
  /** Whether there is a holder with a tenth of the orders and clients of the large one. */
  readonly hasTenth: boolean;
  /** Clients of the large holder. */
  readonly clients: number;
  /** Holders with three orders each. */
  readonly holders: number;
  readonly runSeconds: number;
  readonly warmUpSeconds: number;
  /** Orders of one checkout run. Each run uses up as many clients, so it is limited by count and not by time. */
  readonly ordersPlacedInRun: number;
}

export const fullSizes: Sizes = {
  hasTenth: false,
  orders: 1_000_000,
  clients: 100_000,
  holders: 10_000,
  runSeconds: 5,
  warmUpSeconds: 2,
  ordersPlacedInRun: 5_000,
};

export const quickSizes: Sizes = {
  hasTenth: false,
  orders: 100_000,
  clients: 10_000,
  holders: 1_000,
  runSeconds: 0.3,
  warmUpSeconds: 0.15,
  ordersPlacedInRun: 500,
};

/** For a comparison with other shops, which have no orders before it. */
export const peerSizes: Sizes = {
  ...quickSizes,
  orders: 1_000,
  clients: customerCount,
  holders: 10,
  runSeconds: 15,
  warmUpSeconds: 8,
};

/** Returns the sizes for a holder with this many orders, and one with a tenth of them. */
export function sizesForOrders(usual: Sizes, orders: number): Sizes {
  return { ...usual, hasTenth: true, orders, clients: Math.ceil(orders / 10) };
}

/** The number of runs of each measurement. The median counts. */
export const runs = 3;
