import { type SecurityEvent, type SecurityEventName, securityEvents } from './security-event.ts';

/** The part of a logger that the security log needs. */
export interface SecurityLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SecurityLogOptions {
  readonly windowMs?: number;
  /** How many rejections of one address are written in a window. */
  readonly maxPerAddress?: number;
  /** How many rejections of all addresses together are written in a window. */
  readonly maxTotal?: number;
  /** How many addresses are counted apart in a window. */
  readonly maxAddresses?: number;
  /** How many addresses are named when events were left out. */
  readonly maxReported?: number;
}

interface Count {
  written: number;
  omitted: number;
}

/** Events that anybody can cause, as often as they like. All others need a valid credential, and count for its rate limit. */
const rejections: ReadonlySet<SecurityEventName> = new Set([
  'auth.failed',
  'access.denied',
  'request.refused',
]);
const otherAddresses = 'others';

/**
 * Writes security events as lines of the log. Rejections are bounded, so that an attacker can neither fill the disk nor hide between
 * millions of lines of their own. What is left out is counted and reported when the window ends.
 */
export class SecurityLog {
  readonly #logger: SecurityLogger;
  readonly #options: Required<SecurityLogOptions>;
  #counts = new Map<string, Count>();
  #written = 0;
  #windowEnd: NodeJS.Timeout | null = null;

  constructor(logger: SecurityLogger, options: SecurityLogOptions = {}) {
    this.#logger = logger;
    this.#options = {
      windowMs: 60_000,
      maxPerAddress: 30,
      maxTotal: 600,
      maxAddresses: 10_000,
      maxReported: 20,
      ...options,
    };
  }

  record(event: SecurityEvent): void {
    if (!rejections.has(event.event) || this.#admit(event.address)) this.#write(event.event, event);
  }

  /** Reports what was left out, and starts to count again. */
  endWindow(): void {
    if (this.#windowEnd) clearTimeout(this.#windowEnd);
    this.#windowEnd = null;
    const omitted = [...this.#counts].filter(([, count]) => count.omitted > 0);
    this.#counts = new Map();
    this.#written = 0;
    omitted.sort(([, one], [, other]) => other.omitted - one.omitted);
    const named = omitted.slice(0, this.#options.maxReported);
    const rest = omitted.slice(named.length).reduce((sum, [, count]) => sum + count.omitted, 0);
    for (const [address, count] of named) this.#reportOmitted(address, count.omitted);
    if (rest > 0) this.#reportOmitted(otherAddresses, rest);
  }

  /** Counts a rejection. Returns whether it may be written. */
  #admit(address: string): boolean {
    const { windowMs, maxPerAddress, maxTotal, maxAddresses } = this.#options;
    this.#windowEnd ??= setTimeout(() => this.endWindow(), windowMs).unref();
    const key = this.#counts.has(address) || this.#counts.size < maxAddresses ? address : otherAddresses;
    const count = this.#counts.get(key) ?? { written: 0, omitted: 0 };
    this.#counts.set(key, count);
    if (count.written >= maxPerAddress || this.#written >= maxTotal) {
      count.omitted++;
      return false;
    }
    count.written++;
    this.#written++;
    return true;
  }

  #reportOmitted(address: string, count: number): void {
    this.#write('security.omitted', { event: 'security.omitted', address, count });
  }

  #write(name: SecurityEventName, fields: object): void {
    this.#logger[securityEvents[name]](fields, 'security');
  }
}
