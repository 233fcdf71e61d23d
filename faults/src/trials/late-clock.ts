import { createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import type { HolderCredentials } from '../load/holders.ts';
import { runSql } from '../load/run-sql.ts';
import { createTrialStore } from '../load/trial-store.ts';
import { shiftClock } from '../processes/clock-offset.ts';
import { type Trial, waitFor } from './trial.ts';
import { withInstances } from './trial-instances.ts';

const offsetMs = -3_600_000;
/** A job forgets the nonces of expired signatures about once a minute. */
const longestMs = 80_000;

/**
 * The clock of the service is an hour behind that of the database. Orders with bound signatures, made by either clock, are captured
 * and sent again: at once, and when a job has forgotten what has expired. Those by the clock of the database are accepted once, the
 * others never.
 */
export const lateClock: Trial = {
  name: 'late-clock',
  run: (context) =>
    withInstances(
      context,
      { settings: async () => [shiftClock(offsetMs)] },
      async ({ database, first, demo }) => {
        const { progress } = context;
        const [holder] = demo.holders;
        const { ownerUrl } = database;
        const store = await createTrialStore(ownerUrl, holder.primaryTokenId, 1);
        const { clientIds, strains } = store;
        const body = JSON.stringify({
          clientId: clientIds[0],
          items: [{ strainId: strains[0]?.id, quantity: 1 }],
        });
        const url = `${first.baseUrl}/dapp/orders`;
        const problems: string[] = [];
        const prepare = (atMs: number) => {
          const headers = { 'content-type': 'application/json', ...signBound(holder, { url, body, atMs }) };
          return async (expected: number, when: string) => {
            const { status } = await fetch(url, { method: 'POST', headers, body });
            if (status !== expected) problems.push(`An order ${when} got ${status} instead of ${expected}`);
          };
        };
        const byDatabase = prepare(Date.now());
        const byService = prepare(Date.now() + offsetMs);
        await byDatabase(201, 'by the clock of the database');
        const sendAgain = async (when: string) => {
          await byDatabase(401, `that was captured, ${when},`);
          await byService(401, `by the clock of the service, ${when},`);
        };
        await sendAgain('at once');
        progress(`Waiting for the job that forgets expired nonces, for at most ${longestMs / 1_000} s`);
        const beganAt = performance.now();
        const isForgotten = await waitFor(async () => {
          const [row] = await runSql<{ count: number }>(
            ownerUrl,
            'SELECT count(*)::int FROM keyfront.request_nonces',
          );
          return row?.count === 0;
        }, longestMs);
        const seconds = Math.round((performance.now() - beganAt) / 1_000);
        await sendAgain(`after ${seconds} s`);
        const rows = await runSql(ownerUrl, 'SELECT FROM keyfront.orders WHERE client_id = ANY ($1)', [
          clientIds,
        ]);
        if (rows.length !== 1) problems.push(`${rows.length} orders were placed by one signature`);
        return {
          problems,
          summary: `the nonce was ${isForgotten ? 'forgotten' : 'still known'} after ${seconds} s`,
        };
      },
    ),
};

/** Signs a POST in the bound form (RFC 9421). */
function signBound(
  { apiKey, secretKey }: HolderCredentials,
  { url, body, atMs }: { readonly url: string; readonly body: string; readonly atMs: number },
): Record<string, string> {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const spki = createPublicKey(Buffer.from(apiKey, 'base64')).export({ type: 'spki', format: 'der' });
  const keyid = createHash('sha256').update(spki).digest('hex');
  const created = Math.floor(atMs / 1_000);
  const params = `("@method" "@target-uri" "content-digest");created=${created};keyid="${keyid}";nonce="${randomUUID()}"`;
  const base =
    `"@method": POST\n"@target-uri": ${url}\n"content-digest": ${digest}\n` +
    `"@signature-params": ${params}`;
  const key = createPrivateKey(Buffer.from(secretKey, 'base64').toString());
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  return {
    'content-digest': digest,
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${signature}:`,
  };
}
