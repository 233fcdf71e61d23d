// The first key of the advisory locks of leases: an arbitrary number that nothing else in the database uses.
const lockClass = 1_801_812_327;

const ofThisDatabase = `locktype = 'advisory' AND granted AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The numbers of the advisory locks of a class that are held in this database. They are read once for each statement. */
export const selectLocks = (ofClass: number): string =>
  `SELECT objid::bigint AS number FROM pg_locks WHERE ${ofThisDatabase} AND classid = ${ofClass}`;

/**
 * Takes a lease for the session, and ends that of its predecessor ($1). The lock comes first: whoever sees a lease without its lock knows
 * that the session has ended.
 */
export const takeLease = `
  WITH ended AS (DELETE FROM cache_leases WHERE id = $1),
    taken AS MATERIALIZED (SELECT nextval('cache_lease_ids')::integer AS id),
    locked AS MATERIALIZED (SELECT id, pg_advisory_lock(${lockClass}, id) FROM taken)
  INSERT INTO cache_leases SELECT id FROM locked RETURNING id`;

export const endLeases = 'DELETE FROM cache_leases WHERE id = ANY ($1)';

/** Lists the leases whose sessions have ended. Their processes may not know it, and still trust their caches. */
export const listVanished = `
  WITH locks AS MATERIALIZED (${selectLocks(lockClass)})
  SELECT id FROM cache_leases WHERE id NOT IN (SELECT number FROM locks)`;

/**
 * Remembers since when the sessions of leases are known to have ended. A process trusts its caches for a limited time after the last
 * statement of its session. So after that time nobody needs to wait for the lease any more.
 */
export class VanishedLeases {
  readonly #trustMs: number;
  #seenAt = new Map<number, number>();

  constructor(trustMs: number) {
    this.#trustMs = trustMs;
  }

  /** Takes what `listVanished` has found, and when the result was received. Returns the leases that are over. */
  findOver(vanished: readonly number[], receivedAt: number): number[] {
    this.#seenAt = new Map(vanished.map((id) => [id, this.#seenAt.get(id) ?? receivedAt]));
    return vanished.filter((id) => receivedAt - (this.#seenAt.get(id) ?? receivedAt) >= this.#trustMs);
  }
}
