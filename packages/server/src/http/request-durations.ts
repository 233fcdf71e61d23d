import { Histogram, type Registry } from 'prom-client';

const name = 'http_request_duration_seconds';
const help = 'Time from the request to the end of the answer';
/** In seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Label = 'method' | 'route' | 'status';

/** The durations of one kind of request. */
interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number };
  /** How many were within each bound and beyond the one before; behind them those beyond all. */
  readonly counts: number[];
  sum: number;
}

/**
 * How long requests took, by route and status. A histogram that finds its series without checking, sorting and writing
 * out labels, which is most of what prom-client does for each value: there is one for each request.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor(registry: Registry) {
    super({
      name,
      help,
      labelNames: ['method', 'route', 'status'],
      buckets: bounds,
      registers: [registry],
    });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    const series =
      this.#series.get(method)?.get(route)?.get(status) ?? this.#addSeries(method, route, status);
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
  }

  /** What prom-client asks for, the published types of which leave it out, to write a text or to tell other processes. */
  async getForPromString(): Promise<object> {
    const values = [];
    for (const { labels: sharedLabels, counts, sum } of this.#listSeries()) {
      let count = 0;
      for (const [at, within] of counts.entries()) {
        count += within;
        const labels = { le: bounds[at] ?? '+Inf' };
        values.push({ metricName: `${name}_bucket`, labels, sharedLabels, value: count });
      }
      values.push({ metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum });
      values.push({ metricName: `${name}_count`, labels: {}, sharedLabels, value: count });
    }
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }

  #addSeries(method: string, route: string, status: number): Series {
    const routes = this.#series.get(method) ?? new Map<string, Map<number, Series>>();
    const statuses = routes.get(route) ?? new Map<number, Series>();
    const series = { labels: { method, route, status }, counts: [...bounds, 0].map(() => 0), sum: 0 };
    this.#series.set(method, routes.set(route, statuses.set(status, series)));
    return series;
  }

  *#listSeries(): Generator<Series> {
    for (const routes of this.#series.values()) {
      for (const statuses of routes.values()) yield* statuses.values();
    }
  }
}
