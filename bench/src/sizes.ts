/** How much is stored, and how long is measured. */
export interface Sizes {
  /** Orders and clients of the large holder. */
  readonly orders: number;
  readonly clients: number;
  /** Holders with a few orders each. */
  readonly holders: number;
  /** Of one run, in seconds. */
  readonly runSeconds: number;
  readonly warmUpSeconds: number;
  /** Of one run that is bounded by what it uses up. */
  readonly ordersPlacedInRun: number;
}

export const fullSizes: Sizes = {
  orders: 1_000_000,
  clients: 100_000,
  holders: 10_000,
  runSeconds: 5,
  warmUpSeconds: 2,
  ordersPlacedInRun: 5_000,
};

export const quickSizes: Sizes = {
  orders: 100_000,
  clients: 10_000,
  holders: 1_000,
  runSeconds: 0.3,
  warmUpSeconds: 0.15,
  ordersPlacedInRun: 500,
};

/** How often each figure is measured; what counts is the median. */
export const runs = 3;
