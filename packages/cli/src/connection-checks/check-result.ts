/** A check that passed, or passed with a warning. A check that fails throws a CliError instead. */
export interface CheckResult {
  readonly isWarning: boolean;
  readonly message: string;
}

export const passed = (message: string): CheckResult => ({ isWarning: false, message });
export const warning = (message: string): CheckResult => ({ isWarning: true, message });
