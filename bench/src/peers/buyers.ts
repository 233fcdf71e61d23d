import { Agent, request } from 'node:http';
import { percentile } from '../measure/percentile.ts';
import { customerCount, type Send, type Shop, type ShopResponse } from './shop.ts';

/** The orders of one run. */
export interface Run {
  readonly seconds: number;
  /** The time of each order, from its first request to its last response. */
  readonly latenciesMs: readonly number[];
  readonly requests: number;
}

/** What several runs have in common. */
export interface Figures {
  readonly ordersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requestsPerOrder: number;
}

/**
 * Lets all buyers order, one order after the other, for a number of seconds. Orders that have begun are completed, and the
 * run ends with the last of them.
 */
export async function runBuyers(shop: Shop, buyers: number, seconds: number): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: buyers });
  const latenciesMs: number[] = [];
  let requests = 0;
  const send: Send = (url, { headers = {}, body } = { body: '{}' }) => {
    requests++;
    return post(agent, url, headers, body);
  };
  const start = performance.now();
  const end = start + seconds * 1_000;
  const buy = async (buyer: number) => {
    // No two buyers act for the same customer at the same time.
    let customer = buyer;
    do {
      const begin = performance.now();
      await shop.order(send, customer);
      latenciesMs.push(performance.now() - begin);
      customer = nextCustomer(customer, buyers);
    } while (performance.now() < end);
  };
  try {
    await Promise.all(Array.from({ length: buyers }, (_, buyer) => buy(buyer)));
  } finally {
    agent.destroy();
  }
  return { seconds: (performance.now() - start) / 1_000, latenciesMs, requests };
}

/** Returns the next customer of the same buyer. */
export function nextCustomer(customer: number, buyers: number): number {
  const next = customer + buyers;
  return next < customerCount ? next : customer % buyers;
}

/** Returns the latencies of all runs together. The rate is the given one, the median of the runs. */
export function summarize(runs: readonly Run[], ordersPerSecond: number): Figures {
  const latencies = runs.flatMap(({ latenciesMs }) => latenciesMs);
  return {
    ordersPerSecond,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    requestsPerOrder: runs.reduce((sum, { requests }) => sum + requests, 0) / latencies.length,
  };
}

const responseTimeoutMs = 120_000;

function post(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<ShopResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
        timeout: responseTimeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0 } = response;
          if (statusCode < 200 || statusCode > 299) {
            reject(new Error(`${url} responded with ${statusCode}: ${text.slice(0, 1_000)}`));
          } else resolve({ headers: response.headers, body: JSON.parse(text) });
        });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not respond in time`)));
    sent.once('error', reject);
    sent.end(body);
  });
}
