/**
 * Composes the comparison with a digital key for a page of a list. The subquery hides the number from the planner. For a digital key
 * with nearly all rows of the table, PostgreSQL would otherwise read the index of all rows by date, and with it all rows that other
 * holders have added since.
 */
export const equalUnplannedToken = (value: string): string => `token_id = (SELECT ${value}::bigint)`;
