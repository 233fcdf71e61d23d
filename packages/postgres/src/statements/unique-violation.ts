import pg from 'pg';

/** Finds the unique index that a statement violated. Returns null for any other error. */
export function findViolatedIndex(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}

/** Finds the check that a statement violated. Returns null for any other error. */
export function findViolatedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23514' ? (error.constraint ?? null) : null;
}
