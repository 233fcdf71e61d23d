export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
