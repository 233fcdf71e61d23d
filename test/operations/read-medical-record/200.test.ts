import type { AuditPage, ClientDetails } from '@keyfront/protocol';
import { getAddress } from 'viem/utils';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sibling, stranger, admin, sql } = await openStorefront();
const medicalRecord = { allergies: ['penicillin'], note: '✓' };
const reason = 'The client asked about an allergy';

async function addClient(): Promise<string> {
  const { id } = await insertClient(sql, holder.tokenId);
  await holder.ask('PATCH', `/dapp/clients/${id}`, { body: { medicalRecord } });
  return id;
}
const read = (id: string, body: object = { reason }, caller: Pick<typeof holder, 'ask'> = holder) =>
  caller.ask('POST', `/dapp/clients/${id}/medical-record`, { body });
const auditOf = async (id: string) =>
  dataOf<AuditPage>(await admin.ask('GET', `/admin/audit?subjectId=${id}`)).entries;

it('returns the record, and tells administrators who read it and why, but not what it says', async () => {
  const id = await addClient();
  for (const caller of [holder, holder.signedIn]) {
    const reply = await read(id, { reason }, caller);
    expect([reply.status, dataOf(reply)]).toEqual([200, { medicalRecord }]);
  }
  const entries = await auditOf(id);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    holder: getAddress(holder.walletAddress),
    administrator: null,
    provider: null,
    subject: 'CLIENT',
    action: 'READ',
    before: null,
    after: { reason },
  });
  expect(JSON.stringify(entries)).not.toContain('penicillin');
});

it('returns null for a client without a record', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  expect(dataOf(await read(id))).toEqual({ medicalRecord: null });
});

it('needs a reason', async () => {
  const id = await addClient();
  for (const body of [{}, { reason: '' }, { reason: ' \t' }, { reason: 'r'.repeat(501) }, { reason: 7 }]) {
    expect((await read(id, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect(await auditOf(id)).toEqual([]);
});

it('refuses another digital key, and records nothing', async () => {
  const id = await addClient();
  for (const caller of [sibling, stranger]) expect((await read(id, { reason }, caller)).status).toBe(403);
  expect(await auditOf(id)).toEqual([]);
});

it('erases the reason together with the client', async () => {
  const id = await addClient();
  await read(id);
  await holder.ask('DELETE', `/dapp/clients/${id}?erase=true`);
  expect((await auditOf(id)).map(({ after }) => after)).toEqual([{ reason: 'erased' }]);
});

it('leaves the client without its record where that is omitted', async () => {
  const id = await addClient();
  const whole = dataOf<ClientDetails>(await holder.ask('GET', `/dapp/clients/${id}`));
  const reduced = dataOf<ClientDetails>(await holder.ask('GET', `/dapp/clients/${id}?medicalRecord=omit`));
  expect(whole.medicalRecord).toEqual({ ...medicalRecord, createdAt: expect.any(String) });
  expect(reduced).toEqual({ ...whole, medicalRecord: null });
  expect((await sibling.ask('GET', `/dapp/clients/${id}?medicalRecord=omit`)).status).toBe(403);
  expect((await holder.ask('GET', `/dapp/clients/${id}?medicalRecord=no`)).status).toBe(400);
});
