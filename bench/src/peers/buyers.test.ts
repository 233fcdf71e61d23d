import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nextCustomer, runBuyers, summarize } from './buyers.ts';
import { customerCount, productCount, productsOf, type Shop } from './shop.ts';

const buyers = 8;
let origin = '';
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(request.url === '/full' ? 503 : 200, { 'x-path': request.url }).end('{"placed":true}');
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const shopWith = (order: Shop['order']): Shop => ({ name: 'Shop', about: '', order });

it('lets all buyers order at the same time, and counts orders and requests', async () => {
  const atOnce = new Set<number>();
  let most = 0;
  const shop = shopWith(async (send, customer) => {
    expect(atOnce).not.toContain(customer);
    atOnce.add(customer);
    most = Math.max(most, atOnce.size);
    await send(`${origin}/cart`);
    const { headers, body } = await send(`${origin}/order`);
    expect([headers['x-path'], body]).toEqual(['/order', { placed: true }]);
    atOnce.delete(customer);
  });
  const run = await runBuyers(shop, buyers, 0.2);
  expect(most).toBe(buyers);
  expect(run.seconds).toBeGreaterThanOrEqual(0.2);
  expect(run.latenciesMs.length).toBeGreaterThanOrEqual(buyers);
  expect(run.requests).toBe(2 * run.latenciesMs.length);
});

it('fails with the response to an order that is refused', async () => {
  const shop = shopWith(async (send) => void (await send(`${origin}/full`)));
  await expect(runBuyers(shop, buyers, 0.1)).rejects.toThrow('/full responded with 503: {"placed":true}');
});

it('gives each buyer other customers, and each customer three different products', () => {
  const seen = new Set<number>();
  for (let buyer = 0; buyer < buyers; buyer++) {
    let customer = buyer;
    do {
      seen.add(customer);
      expect(customer % buyers).toBe(buyer);
      customer = nextCustomer(customer, buyers);
    } while (customer !== buyer);
  }
  expect(seen.size).toBe(customerCount);
  for (const customer of seen) {
    const products = productsOf(customer);
    expect(new Set(products).size).toBe(3);
    expect(products.every((product) => product >= 0 && product < productCount)).toBe(true);
  }
});

it('takes the percentiles of all runs together', () => {
  const runs = [
    { seconds: 1, latenciesMs: [1, 2], requests: 6 },
    { seconds: 1, latenciesMs: [3, 100], requests: 6 },
  ];
  expect(summarize(runs, 2)).toEqual({ ordersPerSecond: 2, p50Ms: 2, p99Ms: 100, requestsPerOrder: 3 });
});
