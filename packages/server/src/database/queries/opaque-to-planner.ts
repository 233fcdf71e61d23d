/**
 * Composes an integer whose value PostgreSQL does not know when it plans the statement. A page of a list compares its owner with it. For
 * an owner of nearly all rows, the planner would otherwise choose the index of all rows by date, and the page would also read
 * what others have added since.
 */
export const opaqueToPlanner = (placeholder: string): string => `(SELECT ${placeholder}::bigint)`;
