import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeUpSignature, signSimply } from '../load/holders.ts';
import { type Trial, waitFor } from './trial.ts';
import { withInstances } from './trial-instances.ts';

/** Of the loopback interface: each is a sender of its own to the service. */
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
/** A little less than one address may open. */
const connectionCount = addresses.length * 950;
const floodMs = 20_000;
/** A connection that the service closes is opened again after this time. */
const reconnectMs = 100;
/** Afterwards a known key must be served again, and soon. */
const recoveryMs = 10_000;
const knownRequests = 20;
const longestMs = 1_000;

/**
 * Three addresses open almost all connections that they may, and send requests with made-up keys and valid signatures as fast as they
 * are answered. The service must live, and serve a known key afterwards.
 */
export const madeUpKeys: Trial = {
  name: 'made-up-keys',
  run: (context) =>
    withInstances(context, { settings: async () => [{ RATE_LIMIT: 'on' }] }, async ({ first, demo }) => {
      const { progress } = context;
      const known = signSimply(demo.holders[0]);
      /** Returns the milliseconds until the response; null if it is not a success. */
      const callKnown = async () => {
        const beganAt = performance.now();
        const signal = AbortSignal.timeout(recoveryMs);
        const isAccepted = await fetch(`${first.baseUrl}/planets`, { headers: known, signal }).then(
          ({ ok }) => ok,
          () => false,
        );
        return isAccepted ? performance.now() - beganAt : null;
      };
      await callKnown();
      progress(`Making up ${connectionCount} keys`);
      const { hostname, port, pathname } = new URL(first.baseUrl);
      const requests: string[] = [];
      while (requests.length < connectionCount) {
        const headers = Object.entries({ host: hostname, ...(await makeUpSignature()) });
        const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
        requests.push(`GET ${pathname}/planets HTTP/1.1\r\n${lines.join('')}\r\n`);
      }
      progress(`Sending them for ${floodMs / 1_000} s`);
      const endAt = performance.now() + floodMs;
      const statuses = new Map<string, number>();
      const sockets = new Set<Socket>();
      const open = (localAddress: string, bytes: string) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress });
        sockets.add(socket);
        socket.on('connect', () => socket.write(bytes));
        socket.on('data', (chunk) => {
          const [, status] = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1')) ?? [];
          if (status === undefined) return;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          socket.write(bytes);
        });
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          if (performance.now() < endAt) setTimeout(open, reconnectMs, localAddress, bytes);
        });
      };
      for (const [number, bytes] of requests.entries())
        open(addresses[number % addresses.length] ?? '', bytes);
      const during: (number | null)[] = [];
      while (performance.now() < endAt) {
        during.push(await callKnown());
        await delay(500);
      }
      for (const socket of sockets) socket.destroy();
      const served = during.filter((ms) => ms !== null);
      const responses = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
      const slowest = Math.round(Math.max(0, ...served));
      progress(`The flood is over: ${responses}. A known key: ${served.length} of ${during.length} served`);
      let soon = 0;
      const isServed = await waitFor(async () => {
        const ms = await callKnown();
        soon = ms !== null && ms < longestMs ? soon + 1 : 0;
        return soon >= knownRequests;
      }, recoveryMs);
      const { exitCode } = first.current().child;
      const problems = [
        ...(exitCode === null ? [] : [`The service has ended with ${exitCode}`]),
        ...(isServed
          ? []
          : [`A known key is not served within ${longestMs} ms, ${recoveryMs / 1_000} s after the flood`]),
      ];
      return {
        problems,
        summary:
          `${connectionCount} connections, ${responses}; a known key was served ${served.length} of ${during.length} ` +
          `times meanwhile, in ${slowest} ms at most`,
      };
    }),
};
