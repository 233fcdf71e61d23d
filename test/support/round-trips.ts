import pg from 'pg';

export interface RoundTrips {
  /** How many there have been. */
  readonly count: number;
  /** Leaves the driver as it was. */
  stop(): void;
}

/**
 * Counts how often this process turns to a database and has to wait. A query that is handed to a connection before an
 * earlier one is answered travels with that one.
 */
export function countRoundTrips(): RoundTrips {
  const original = pg.Client.prototype.query;
  const waiting = new WeakSet<pg.Client>();
  let count = 0;
  pg.Client.prototype.query = new Proxy(original, {
    apply(query, client: pg.Client, given) {
      if (!waiting.has(client)) {
        count++;
        waiting.add(client);
        // Everything that was handed over is answered.
        client.once('drain', () => waiting.delete(client));
      }
      return Reflect.apply(query, client, given);
    },
  });
  return {
    get count() {
      return count;
    },
    stop: () => {
      pg.Client.prototype.query = original;
    },
  };
}
