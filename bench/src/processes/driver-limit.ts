/** A statement that the driver alone repeats for a number of seconds. */
export interface DriverLimitJob {
  readonly databaseUrl: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly connections: number;
  readonly seconds: number;
}

export interface DriverLimitResult {
  /** Statements per second. */
  readonly rate: number;
}
