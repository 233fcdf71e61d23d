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
      if (!waiting.has(client)) {
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
