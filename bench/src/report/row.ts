/** One row of the table: a figure of the service, its limit and its target. */
export interface Row {
  /** Stable, so that results of different dates can be compared row by row. */
  readonly id: string;
  readonly what: string;
  readonly figure: Figure;
  readonly limit: (Figure & { readonly what: string }) | null;
  readonly judged: Judged;
}

/** A measured value. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** The value that is judged, with its target: a minimum share of the limit, a maximum slowdown, or a maximum amount. */
export type Judged =
  | { readonly kind: 'share'; readonly value: number; readonly atLeast: number }
  | { readonly kind: 'times'; readonly value: number; readonly atMost: number }
  | { readonly kind: 'amount'; readonly value: number; readonly atMost: number; readonly unit: string };

/** Judges a rate by its share of the limit's rate. */
export function shareOf(figure: number, limit: number, atLeast: number): Judged {
  return { kind: 'share', value: figure / limit, atLeast };
}

/** Judges a rate by its slowdown compared with the limit's rate. */
export function timesOf(figure: number, limit: number, atMost: number): Judged {
  return { kind: 'times', value: limit / figure, atMost };
}

/** Creates a row without a limit, judged by a maximum amount. */
export function amountRow(id: string, what: string, value: number, atMost: number, unit: string): Row {
  return { id, what, figure: { value, unit }, limit: null, judged: { kind: 'amount', value, atMost, unit } };
}

/** Returns whether the target is reached. */
export function isReached(judged: Judged): boolean {
  // Judge the rounded value that the table shows: a 0.80 in the table must reach a target of 0.80.
  const value = Math.round(judged.value * 100) / 100;
  return judged.kind === 'share' ? value >= judged.atLeast : value <= judged.atMost;
}
