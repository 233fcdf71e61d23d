/** One line of the table: a figure of the service, what it is measured against, and what is demanded. */
export interface Row {
  /** For the history: does not change. */
  readonly id: string;
  readonly what: string;
  readonly figure: Figure;
  readonly limit: (Figure & { readonly what: string }) | null;
  readonly judged: Judged;
}

export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** What counts: at least so much of the limit, at most so many times its time, or at most so much of a unit. */
export type Judged =
  | { readonly kind: 'share'; readonly value: number; readonly atLeast: number }
  | { readonly kind: 'times'; readonly value: number; readonly atMost: number }
  | { readonly kind: 'amount'; readonly value: number; readonly atMost: number; readonly unit: string };

/** The share of a limit, both measured as rates. */
export function shareOf(figure: number, limit: number, atLeast: number): Judged {
  return { kind: 'share', value: figure / limit, atLeast };
}

/** How many times longer it takes than the limit, both measured as rates. */
export function timesOf(figure: number, limit: number, atMost: number): Judged {
  return { kind: 'times', value: limit / figure, atMost };
}

/** A figure that has no limit but a bound. */
export function amountRow(id: string, what: string, value: number, atMost: number, unit: string): Row {
  return { id, what, figure: { value, unit }, limit: null, judged: { kind: 'amount', value, atMost, unit } };
}

export function isReached(judged: Judged): boolean {
  // Judged as it is shown: nobody should read 0.80 and see it refused.
  const value = Math.round(judged.value * 100) / 100;
  return judged.kind === 'share' ? value >= judged.atLeast : value <= judged.atMost;
}
