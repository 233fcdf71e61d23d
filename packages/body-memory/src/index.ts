interface BodyMemoryOptions {
  /** What the bodies of one wallet may hold. */
  readonly maxBytesPerWallet: number;
  /** What the bodies from one address may hold. */
  readonly maxBytesPerAddress: number;
  /** What all bodies may hold. */
  readonly maxBytes: number;
}

/** Whose memory a body takes. Nothing of it is proven before the body has arrived, except the address. */
export interface BodyOwner {
  /** As in the rate limits: see `addressKey`. */
  readonly address: string;
  /** That of the credential which the request names; null for public operations. */
  readonly wallet: string | null;
}

/** The memory of one body. */
export interface BodyLease {
  /** Takes this many bytes more. Returns false if there is no room for them. */
  grow(bytes: number): boolean;
  /** Says that the whole body has arrived. From now on the memory cannot be taken away. */
  complete(): void;
  /** Gives everything back. */
  release(): void;
}

interface Lease {
  readonly owner: BodyOwner;
  readonly evict: () => void;
  bytes: number;
  /** Larger for a body that has grown later. */
  progress: number;
  isComplete: boolean;
}

/** The bodies that share a bound. */
interface Share {
  bytes: number;
  readonly leases: Set<Lease>;
}

interface Bound {
  readonly share: Share;
  readonly maxBytes: number;
  /** Between whom it is divided, in this order. */
  readonly divisions: readonly Division[];
}

interface Division {
  readonly leases: ReadonlySet<Lease>;
  readonly groupOf: (owner: BodyOwner) => string;
}

const mebibyte = 1024 * 1024;
const defaults: BodyMemoryOptions = {
  maxBytesPerWallet: 16 * mebibyte,
  maxBytesPerAddress: 32 * mebibyte,
  maxBytes: 128 * mebibyte,
};

const addressOf = ({ address }: BodyOwner) => address;
const walletOf = ({ wallet }: BodyOwner) => wallet ?? '';

/**
 * Bounds the memory of request bodies. A body arrives before its signature can be verified, so anybody who can send headers
 * that look valid could otherwise fill the memory with bodies.
 *
 * When full, it evicts the slowest upload of the largest group, if that group holds more than the group of the new body. So callers from
 * one address cannot keep out another address, those of one wallet cannot keep out another wallet at their address, and
 * strangers who only know the public key of a wallet cannot keep out its holder.
 */
export class BodyMemory {
  readonly #options: BodyMemoryOptions;
  readonly #all = createShare();
  readonly #byAddress = new Map<string, Share>();
  readonly #byWallet = new Map<string, Share>();
  #growths = 0;

  constructor(options: Partial<BodyMemoryOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** What all bodies hold now. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** Begins a body. `onEvicted` is called if its memory is taken away before it is complete. */
  lease(owner: BodyOwner, onEvicted: () => void): BodyLease {
    const bounds = this.#boundsOf(owner);
    const release = () => this.#release(lease, bounds);
    const evict = () => {
      release();
      onEvicted();
    };
    const lease: Lease = { owner, evict, bytes: 0, progress: 0, isComplete: false };
    for (const { share } of bounds) share.leases.add(lease);
    return {
      grow: (bytes) => this.#grow(lease, bounds, bytes),
      complete: () => {
        lease.isComplete = true;
      },
      release,
    };
  }

  #boundsOf({ address, wallet }: BodyOwner): Bound[] {
    const { maxBytes, maxBytesPerAddress, maxBytesPerWallet } = this.#options;
    const ofAddress = getShare(this.#byAddress, address);
    const withinAddress: Division = { leases: ofAddress.leases, groupOf: walletOf };
    const betweenAddresses: Division = { leases: this.#all.leases, groupOf: addressOf };
    const bounds: Bound[] = [
      { share: ofAddress, maxBytes: maxBytesPerAddress, divisions: [withinAddress] },
      { share: this.#all, maxBytes, divisions: [betweenAddresses, withinAddress] },
    ];
    if (wallet !== null) {
      const ofWallet = getShare(this.#byWallet, wallet);
      const divisions = [{ leases: ofWallet.leases, groupOf: addressOf }];
      bounds.unshift({ share: ofWallet, maxBytes: maxBytesPerWallet, divisions });
    }
    return bounds;
  }

  #grow(lease: Lease, bounds: readonly Bound[], bytes: number): boolean {
    for (const bound of bounds) {
      while (!hasRoom(bound, bytes)) {
        if (!bound.divisions.some((division) => evictSlowest(bound, division, lease, bytes))) return false;
      }
    }
    lease.bytes += bytes;
    lease.progress = ++this.#growths;
    for (const { share } of bounds) share.bytes += bytes;
    return true;
  }

  #release(lease: Lease, bounds: readonly Bound[]): void {
    for (const { share } of bounds) {
      share.bytes -= lease.bytes;
      share.leases.delete(lease);
    }
    lease.bytes = 0;
    const { address, wallet } = lease.owner;
    dropIfUnused(this.#byAddress, address);
    if (wallet !== null) dropIfUnused(this.#byWallet, wallet);
  }
}

function hasRoom({ share, maxBytes }: Bound, bytes: number): boolean {
  return share.bytes + bytes <= maxBytes;
}

/**
 * Takes memory from the group that holds the most, and more than that of a body which is to grow. Returns false if there is
 * no such group.
 */
function evictSlowest(bound: Bound, { leases, groupOf }: Division, lease: Lease, bytes: number): boolean {
  const groups = new Map<string, { held: number; incomplete: Lease[] }>();
  for (const each of leases) {
    const name = groupOf(each.owner);
    const group = groups.get(name) ?? { held: 0, incomplete: [] };
    groups.set(name, group);
    group.held += each.bytes;
    if (!each.isComplete && each.bytes > 0) group.incomplete.push(each);
  }
  const own = (groups.get(groupOf(lease.owner))?.held ?? 0) + bytes;
  let held = own;
  let victims: Lease[] = [];
  for (const group of groups.values()) {
    if (group.held > held && group.incomplete.length > 0) ({ held, incomplete: victims } = group);
  }
  victims.sort((one, other) => one.progress - other.progress);
  for (const victim of victims) {
    if (held <= own || hasRoom(bound, bytes)) break;
    held -= victim.bytes;
    victim.evict();
  }
  return victims.length > 0;
}

function createShare(): Share {
  return { bytes: 0, leases: new Set() };
}

function getShare(shares: Map<string, Share>, name: string): Share {
  const share = shares.get(name) ?? createShare();
  shares.set(name, share);
  return share;
}

function dropIfUnused(shares: Map<string, Share>, name: string): void {
  if (shares.get(name)?.leases.size === 0) shares.delete(name);
}
