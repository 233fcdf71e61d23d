/** Whether a type is one of those in a list such as `order.*, payment.paid`. An empty list has all. */
export function matchesEventType(type: string, filter: string): boolean {
  const patterns = filter
    .split(',')
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  return (
    patterns.length === 0 ||
    patterns.some((pattern) =>
      pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
    )
  );
}
