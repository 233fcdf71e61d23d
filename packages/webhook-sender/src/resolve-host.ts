import { promises as dns } from 'node:dns';

/** Finds the addresses of a host name. Returns none if the name has none at the moment. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const timeoutMs = 4_000;

/**
 * Asks the name servers for the addresses of a host. It takes no thread of the process, as `dns.lookup` does: names of callers may take
 * seconds to resolve, and connections to the database wait for the same threads.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  // RFC 6761: always this machine, whatever a name server says.
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new dns.Resolver({ timeout: timeoutMs / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    clearTimeout(timer);
  }
};
