import { randomBytes } from 'node:crypto';
import { createTokens } from '../../../packages/server/dist/auth/tokens.js';
import type { Bench } from '../bench.ts';
import { percentile } from '../measure/percentile.ts';
import { type Service, settingsFor, startService } from '../processes/service.ts';
import type { Row } from '../report/row.ts';
import { idOf } from '../store/ids.ts';
import { tokens } from '../store/seed.ts';
import { describeLatencies, measureLatencies } from './fairness.ts';
import type { Scenario } from './scenario.ts';

const administrator = `0x${'ad'.repeat(20)}`;
const decided = 500;
const rounds = 3;
const samples = 150;
const maxTimes = 3;

/** The latency of one holder while an administrator decides 500 orders of another one in each request. */
export const decisions: Scenario = {
  name: 'decisions',
  measure: async (bench) => {
    const settings: Record<string, string> = { ...settingsFor(bench.store), ADMIN_WALLETS: administrator };
    const service = await startService(settings);
    try {
      const token = await beginSession(bench, settings.JWT_SECRET ?? '');
      const own = { ...bench, service };
      await measureLatencies(own, samples);
      const alone: number[] = [];
      const beside: number[] = [];
      let requests = 0;
      let next = 4;
      for (let round = 0; round < rounds; round++) {
        alone.push(...(await measureLatencies(own, samples)));
        let isMeasuring = true;
        const deciding = (async () => {
          while (isMeasuring) {
            // Every sixth order of the store waits for a decision.
            const ids = Array.from({ length: decided }, (_, at) =>
              idOf('order', tokens.large, next + 6 * at),
            );
            next += 6 * decided;
            await decide(service, token, ids);
            requests++;
          }
        })();
        beside.push(...(await measureLatencies(own, samples)));
        isMeasuring = false;
        await deciding;
      }
      bench.progress(
        `  ${requests} requests of ${decided} decisions; alone: ${describeLatencies(alone)}; beside: ${describeLatencies(beside)}`,
      );
      const limit = percentile(alone, 0.99);
      const value = percentile(beside, 0.99);
      const row: Row = {
        id: 'decisions',
        what: `p99 of a holder while an administrator decides ${decided} orders at a time`,
        figure: { value, unit: 'ms' },
        limit: { what: 'its p99 alone', value: limit, unit: 'ms' },
        judged: { kind: 'times', value: value / limit, atMost: maxTimes },
      };
      return [row];
    } finally {
      await service.end();
    }
  },
};

async function decide(service: Service, token: string, ids: readonly string[]): Promise<void> {
  const response = await fetch(`${service.baseUrl}/admin/orders/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ adminApproval: 'VERIFIED', ids }),
  });
  if (response.status !== 200) throw new Error(`The decisions responded with ${response.status}`);
  const { data } = (await response.json()) as { data: { results: { outcome: string }[] } };
  const refused = data.results.filter(({ outcome }) => outcome === 'REFUSED').length;
  if (refused > 0) throw new Error(`${refused} of ${ids.length} decisions were refused`);
}

/** Begins a session of the administrator without the signature of a wallet. */
async function beginSession({ store }: Bench, secret: string): Promise<string> {
  const sessions = createTokens({ secret, previousSecret: null });
  const session = {
    ...sessions.planSession('administrator'),
    walletAddress: administrator,
    role: 'administrator' as const,
  };
  const { rows } = await store.client.query<{ id: string }>(
    `INSERT INTO keyfront.sessions (wallet_address, role, domain, sign_in_hash, repeatable_until, created_at, expires_at)
     VALUES ($1, 'administrator', 'shop.example', $2, $3, $3, $4) RETURNING id`,
    [administrator, randomBytes(32), session.createdAt, session.expiresAt],
  );
  return (await sessions.issue({ ...session, sessionId: rows[0]?.id ?? '' })).token;
}
