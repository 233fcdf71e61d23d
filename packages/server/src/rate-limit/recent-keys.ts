/**
 * Values by key, in bounded memory and without sweeping: what was not touched for a life is gone after two, and when
 * there are too many, the half that was not touched for longest goes at once.
 */
export class RecentKeys<Value> {
  readonly #lifeMs: number;
  readonly #half: number;
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #turnsAtMs = 0;

  constructor(lifeMs: number, limit: number) {
    this.#lifeMs = lifeMs;
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  get(key: string, nowMs: number): Value | undefined {
    if (nowMs >= this.#turnsAtMs) this.#turn(nowMs);
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older === undefined) return undefined;
    this.#older.delete(key);
    this.#put(key, older, nowMs);
    return older;
  }

  /** Adds a key that is not there. */
  add(key: string, value: Value, nowMs: number): void {
    if (nowMs >= this.#turnsAtMs) this.#turn(nowMs);
    this.#put(key, value, nowMs);
  }

  *values(): Iterable<Value> {
    yield* this.#older.values();
    yield* this.#recent.values();
  }

  #put(key: string, value: Value, nowMs: number): void {
    if (this.#recent.size >= this.#half) this.#turn(nowMs);
    this.#recent.set(key, value);
  }

  #turn(nowMs: number): void {
    const isRecentOutlived = nowMs >= this.#turnsAtMs + this.#lifeMs;
    this.#older = isRecentOutlived ? new Map() : this.#recent;
    this.#recent = new Map();
    this.#turnsAtMs = nowMs + this.#lifeMs;
  }
}
