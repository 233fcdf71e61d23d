import { expect, it } from 'vitest';
import { defaultRequestLimits, OpenRequests } from './open-requests.ts';

it('keeps places for proven endpoints, however many new webhooks hang', () => {
  const requests = new OpenRequests(defaultRequestLimits);
  const proven = { webhookId: 'proven', holderId: 'good' };
  requests.begin(proven, false, 1)?.();
  requests.recordOutcome('proven', true);
  let hanging = 0;
  for (let number = 0; number < 200; number++) {
    const owner = { webhookId: `new ${number}`, holderId: `holder ${number % 10}` };
    if (requests.begin(owner, false, 1)) hanging++;
  }
  expect(hanging).toBe(defaultRequestLimits.retries);
  expect(requests.begin(proven, false, 1)).not.toBeNull();
});

it('keeps places for new webhooks, however many new ones of another holder hang', () => {
  const requests = new OpenRequests(defaultRequestLimits);
  let hanging = 0;
  for (let number = 0; number < 200; number++)
    if (requests.begin({ webhookId: `new ${number}`, holderId: 'bad' }, false, 1)) hanging++;
  expect(hanging).toBe(defaultRequestLimits.retriesPerHolder);
  expect(requests.begin({ webhookId: 'new', holderId: 'good' }, false, 1)).not.toBeNull();
});

it('counts an endpoint as proven after a success, until it fails', () => {
  const requests = new OpenRequests(defaultRequestLimits);
  expect(requests.isProven('one')).toBe(false);
  requests.recordOutcome('one', true);
  expect(requests.isProven('one')).toBe(true);
  requests.recordOutcome('one', false);
  expect(requests.isProven('one')).toBe(false);
});
