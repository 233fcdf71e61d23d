/** What an administrator decides about a client or an order. */
export type Decision =
  | { readonly adminApproval: 'VERIFIED' }
  | { readonly adminApproval: 'REJECTED'; readonly rejectionNote?: string };

/** A decision about several rows has failed for some of them. */
class PartialFailure extends Error {
  readonly failures: readonly Error[];

  constructor(count: number, failures: readonly Error[]) {
    super(`${failures.length} of ${count} failed: ${failures[0]?.message}`);
    this.failures = failures;
  }
}

/** Decides about each row. All are tried; those that fail do not keep back the others. */
export async function decideAll<Row>(
  rows: readonly Row[],
  decide: (row: Row) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.allSettled(rows.map(decide));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as Error] : [],
  );
  if (failures.length === 0) return;
  // The sentence of the service itself, where there is only one.
  if (rows.length === 1 && failures[0]) throw failures[0];
  throw new PartialFailure(rows.length, failures);
}
