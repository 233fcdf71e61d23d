/** Why something was not accepted, for the caller to read: printable ASCII, so that it fits into a header. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
}

export function refuse(reason: string): Refusal {
  return { ok: false, reason };
}
