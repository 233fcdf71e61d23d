/** One statement, run again and again by the driver alone. */
export interface DriverQuestion {
  readonly databaseUrl: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly connections: number;
  readonly seconds: number;
}

export interface DriverAnswer {
  /** Statements in a second. */
  readonly rate: number;
}
