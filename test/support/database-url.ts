/** The same connection to another database of the cluster. */
export function withDatabase(url: string, databaseName: string): string {
  const result = new URL(url);
  result.pathname = `/${databaseName}`;
  return result.toString();
}
