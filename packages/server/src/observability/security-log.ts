import { addressKey } from '@keyfront/rate-limiter';
import { type SecurityEvent, type SecurityEventName, securityEvents } from './security-event.ts';

/** The part of a logger that the security log needs. */
export interface SecurityLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const defaults = {
  windowMs: 60_000,
  /** How many rejections of one address are written in a window. */
  maxPerAddress: 30,
  /** How many rejections of one authenticated caller are written in a window. */
  maxPerCaller: 100,
  /** How many rejections of all addresses together are written in a window, apart from the first one of each. */
  maxTotal: 600,
  /** Of how many addresses the first rejection in a window is written in any case. */
  maxFirst: 1_000,
  /** How many addresses, and how many callers, are counted apart in a window. */
  maxCounted: 10_000,
  /** How many addresses, and how many callers, are named when events were left out. */
  maxReported: 20,
};

export type SecurityLogOptions = Readonly<Partial<typeof defaults>>;

interface Count {
  written: number;
  omitted: number;
}

const others = 'others';

/**
 * Writes security events as lines of the log. Rejections are bounded, so that an attacker can neither fill the disk nor hide
 * between millions of lines of their own. Anybody can cause those of an address, and only the caller those of a caller, so
 * they are counted apart. What is left out is counted and reported when the window ends.
 */
export class SecurityLog {
  readonly #logger: SecurityLogger;
  readonly #options: Required<SecurityLogOptions>;
  #addresses = new Map<string, Count>();
  #callers = new Map<string, Count>();
  /** Of all addresses: the first rejections, and the others. */
  #firstWritten = 0;
  #written = 0;
  #windowEnd: NodeJS.Timeout | null = null;

  constructor(logger: SecurityLogger, options: SecurityLogOptions = {}) {
    this.#logger = logger;
    this.#options = { ...defaults, ...options };
  }

  /** Writes an event that needs a valid credential, and counts for its rate limit. */
  record(event: SecurityEvent): void {
    this.#write(event.event, event);
  }

  /** Writes a rejection, unless there are too many of its caller. Without one, those of its address count. */
  recordRejection(event: SecurityEvent, callerWallet: string | null): void {
    const { windowMs } = this.#options;
    this.#windowEnd ??= setTimeout(() => this.endWindow(), windowMs).unref();
    const isWritten =
      callerWallet === null ? this.#admitAddress(event.address) : this.#admitCaller(callerWallet);
    if (isWritten) this.#write(event.event, event);
  }

  /** Reports what was left out, and starts to count again. */
  endWindow(): void {
    if (this.#windowEnd) clearTimeout(this.#windowEnd);
    this.#windowEnd = null;
    this.#reportOmitted('address', this.#addresses);
    this.#reportOmitted('wallet', this.#callers);
    this.#addresses = new Map();
    this.#callers = new Map();
    this.#firstWritten = 0;
    this.#written = 0;
  }

  #admitCaller(wallet: string): boolean {
    const count = this.#count(this.#callers, wallet);
    return decide(count, count.written < this.#options.maxPerCaller);
  }

  #admitAddress(address: string): boolean {
    const { maxPerAddress, maxTotal, maxFirst } = this.#options;
    // One caller has all addresses of a network.
    const count = this.#count(this.#addresses, addressKey(address));
    // A few busy addresses must not hide that there are others.
    if (count.written === 0 && this.#firstWritten < maxFirst) {
      this.#firstWritten++;
      return decide(count, true);
    }
    const isAdmitted = count.written < maxPerAddress && this.#written < maxTotal;
    if (isAdmitted) this.#written++;
    return decide(count, isAdmitted);
  }

  #count(counts: Map<string, Count>, name: string): Count {
    const key = counts.has(name) || counts.size < this.#options.maxCounted ? name : others;
    const count = counts.get(key) ?? { written: 0, omitted: 0 };
    counts.set(key, count);
    return count;
  }

  #reportOmitted(field: 'address' | 'wallet', counts: ReadonlyMap<string, Count>): void {
    const omitted = [...counts].filter(([, count]) => count.omitted > 0);
    omitted.sort(([, one], [, other]) => other.omitted - one.omitted);
    const named = omitted.slice(0, this.#options.maxReported);
    const rest = omitted.slice(named.length).reduce((sum, [, count]) => sum + count.omitted, 0);
    const report = (name: string, count: number) =>
      this.#write('security.omitted', { event: 'security.omitted', [field]: name, count });
    for (const [name, count] of named) report(name, count.omitted);
    if (rest > 0) report(others, rest);
  }

  #write(name: SecurityEventName, fields: object): void {
    this.#logger[securityEvents[name]](fields, 'security');
  }
}

/** Counts a rejection as written or as left out. */
function decide(count: Count, isWritten: boolean): boolean {
  if (isWritten) count.written++;
  else count.omitted++;
  return isWritten;
}
