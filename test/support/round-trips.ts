import pg from 'pg';

export interface RoundTrips {
  /** How many there have been. */
  readonly count: number;
  /** Leaves the driver as it was. */
  stop(): void;
}

/**
 * Counts how often this process sends queries to a database and has to wait. A query that is sent before an earlier one
 * on the same connection has its response travels with that one. With a URL it counts only those to that database:
 * services of other tests in the same process have jobs and heartbeats of their own.
 */
export function countRoundTrips(databaseUrl?: string): RoundTrips {
  const database = databaseUrl && decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const original = pg.Client.prototype.query;
  const known = new WeakSet<pg.Client>();
  const waiting = new WeakSet<pg.Client>();
  let count = 0;
  const follow = (client: pg.Client) => {
    known.add(client);
    const stopWaiting = () => waiting.delete(client);
    // Everything that was handed over is answered.
    client.on('drain', stopWaiting);
    // An error ends the wait too: its query may be followed by another before the driver emits `drain`.
    Reflect.get(client, 'connection').on('errorMessage', stopWaiting);
  };
  pg.Client.prototype.query = new Proxy(original, {
    apply(query, client: pg.Client, given) {
      if (!known.has(client)) follow(client);
      const isCounted = database === undefined || client.database === database;
      if (isCounted && !waiting.has(client)) {
        count++;
        waiting.add(client);
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
