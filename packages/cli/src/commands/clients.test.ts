import { expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const clientId = '019a8f3e-7c00-7000-8000-000000000201';
const link = {
  clientId,
  kycLink: 'https://identity.example/start?reference=7',
  kycStatus: 'PENDING',
  kycVerifiedAt: null,
};

it('keyfront clients kyc-link prints the new link', async () => {
  const harness = createHarness({ respond: () => success(link, 201) });
  expect(await harness.run('clients', 'kyc-link', clientId)).toMatchObject({
    code: 0,
    stdout: `${link.kycLink}\n`,
  });
  expect(harness.requests.at(-1)).toMatchObject({
    method: 'POST',
    target: `/dapp/clients/${clientId}/kyc-link`,
  });
  const { stdout } = await harness.run('clients', 'kyc-link', clientId, '--json');
  expect(JSON.parse(stdout)).toEqual(link);
});

it('keyfront clients kyc-link names its argument in an error', async () => {
  const harness = createHarness({
    respond: () => failure(400, 'Validation failed', { data: ['clientId must be a UUID'] }),
  });
  const { code, stderr } = await harness.run('clients', 'kyc-link', '7');
  expect(code).toBe(4);
  expect(stderr).toContain('<client-id> must be a UUID');
});
