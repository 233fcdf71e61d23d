/** Composes a time as responses have it, for a column inside of a JSON value or a text. */
export const jsonTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
