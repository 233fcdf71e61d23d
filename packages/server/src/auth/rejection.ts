/** Why a credential or a part of it is not accepted. The reason is printable ASCII, so that it fits into a header. */
export interface Rejection {
  readonly ok: false;
  readonly reason: string;
}

export function reject(reason: string): Rejection {
  return { ok: false, reason };
}
