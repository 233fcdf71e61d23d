/**
 * Whether a route is for the machines of the operator: health checks and scrapes. There is one every few seconds, so they have no
 * traces, and log lines only at the level debug.
 */
export const isProbe = (route: string | undefined): boolean =>
  route !== undefined && (route === '/metrics' || route.startsWith('/health/'));
