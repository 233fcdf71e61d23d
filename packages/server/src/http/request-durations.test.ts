import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RequestDurations } from './request-durations.ts';

const request = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/planets', '/dapp/orders/:orderId', 'unknown'),
  status: fc.constantFrom(200, 404, 503),
  // Bounds themselves among them.
  seconds: fc.oneof(fc.constantFrom(0, 0.001, 0.0025, 1, 10), fc.double({ min: 0, max: 20, noNaN: true })),
});

/** What processes tell each other, in an order of its own. */
async function valuesForOthers(registry: Registry): Promise<unknown> {
  const [metric] = JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
  const written = metric.values.map(({ metricName, labels, value }: Record<string, object>) =>
    JSON.stringify([metricName, Object.entries(labels ?? {}).sort(), value]),
  );
  return { ...metric, values: written.sort() };
}

it('tells what the histogram of the library tells', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request), async (requests) => {
      const registries = [new Registry(), new Registry()] as const;
      const durations = new RequestDurations(registries[0]);
      const histogram = new Histogram({
        name: 'http_request_duration_seconds',
        help: 'Time from the request to the end of the answer',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        registers: [registries[1]],
      });
      for (const { method, route, status, seconds } of requests) {
        durations.observeRequest(method, route, status, seconds);
        histogram.observe({ method, route, status }, seconds);
      }
      const [ours, theirs] = await Promise.all(registries.map((each) => each.metrics()));
      expect(ours?.split('\n').sort()).toEqual(theirs?.split('\n').sort());
      const [forOthers, byTheirs] = await Promise.all(registries.map(valuesForOthers));
      expect(forOthers).toEqual(byTheirs);
    }),
  );
});
