import pg from 'pg';

/** The unique index that a statement failed on, or null when it failed on anything else. */
export function findViolatedIndex(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}
