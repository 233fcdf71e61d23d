import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront } from '@keyfront/sdk';
import { privateKeyToAccount } from 'viem/accounts';
import { signSimply } from '../load/holders.ts';
import { runSql } from '../load/run-sql.ts';
import { type FaultProxy, startFaultProxy } from '../processes/fault-proxy.ts';
import type { Instance } from '../processes/instance.ts';
import { type Trial, waitFor } from './trial.ts';
import { withInstances } from './trial-instances.ts';

const listens = 'LISTEN keyfront_';
const callerCount = 4;
/** By then the callers have filled the caches of the first instance, and the connection that listens is in use. */
const warmUpMs = 1_500;
/** No cache is trusted for longer after it has lost its connection. */
const watchedMs = 5_000;

interface Revocation {
  readonly first: Instance;
  readonly ownerUrl: string;
  readonly proxy: FaultProxy;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends when the revocation is answered. */
  readonly revoke: () => Promise<unknown>;
}

/**
 * The connection on which an instance listens for revocations becomes silent, and PostgreSQL ends its side. A key and a session are then
 * revoked through another instance. Once that is answered, the first instance must accept neither.
 */
export const lostListeners: Trial = {
  name: 'lost-listeners',
  run: async (context) => {
    const proxies: FaultProxy[] = [];
    const settings = async (loginUrl: string) => {
      const proxy = await startFaultProxy(loginUrl);
      proxies.push(proxy);
      return [{ DATABASE_URL: proxy.url }, {}];
    };
    try {
      return await withInstances(context, { settings }, async ({ database, instances, demo }) => {
        const [first, second] = instances as [Instance, Instance];
        const [proxy] = proxies as [FaultProxy];
        const wallet = privateKeyToAccount(demo.holders[0].walletPrivateKey);
        const signIn = () => new Keyfront({ baseUrl: second.baseUrl }).signIn(wallet);
        const holder = await signIn();
        const session = await signIn();
        const key = await holder.keys.create({ keyName: 'Doomed' });
        const { headers } = await session.sign('GET', '/planets');
        const victims = [
          {
            what: 'key',
            headers: signSimply({ apiKey: key.apiKey, secretKey: key.secretKey ?? '' }),
            revoke: () => holder.keys.revoke(key.id),
          },
          { what: 'session', headers, revoke: () => session.auth.signOut() },
        ];
        const problems: string[] = [];
        for (const { what, ...victim } of victims) {
          context.progress(`Revoking a ${what} while the first instance does not hear of it`);
          const late = await watchRevocation({ first, ownerUrl: database.ownerUrl, proxy, ...victim });
          if (late.length > 0)
            problems.push(
              `The first instance accepted a revoked ${what} ${late.length} times after the revocation was answered, ` +
                `the last time ${Math.round(Math.max(...late))} ms after`,
            );
        }
        return { problems, summary: 'a key and a session, revoked beside a lost listener' };
      });
    } finally {
      for (const proxy of proxies) await proxy.close();
    }
  },
};

/** Returns for each request that was accepted after the revocation how many milliseconds after it began. */
async function watchRevocation({ first, ownerUrl, proxy, headers, revoke }: Revocation): Promise<number[]> {
  let answeredAt = Number.POSITIVE_INFINITY;
  let isStopping = false;
  let accepted = 0;
  const late: number[] = [];
  const call = async () => {
    while (!isStopping) {
      const beganAt = performance.now();
      const { status } = await fetch(`${first.baseUrl}/planets`, { headers });
      if (status !== 200) {
        await delay(10);
        continue;
      }
      accepted += 1;
      if (beganAt > answeredAt) late.push(beganAt - answeredAt);
    }
  };
  const callers = Array.from({ length: callerCount }, call);
  try {
    if (!(await waitFor(() => accepted > 0 && proxy.find(listens).length > 0)))
      throw new Error(
        'The first instance does not accept the credential, or does not listen for revocations',
      );
    await delay(warmUpMs);
    const ports = proxy.find(listens);
    proxy.silence(ports);
    await runSql(
      ownerUrl,
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE client_port = ANY ($1)',
      [ports],
    );
    await revoke();
    answeredAt = performance.now();
    await delay(watchedMs);
  } finally {
    isStopping = true;
    await Promise.all(callers);
  }
  return late;
}
