import { expect, it } from 'vitest';
import { defaultRequestLimits, OpenRequests } from './open-requests.ts';

it('keeps places for endpoints that are good, however many new webhooks hang', () => {
  const requests = new OpenRequests(defaultRequestLimits);
  const good = { webhookId: 'good', tokenId: 99 };
  requests.begin(good, false, 1)?.();
  requests.note('good', false);
  let hanging = 0;
  for (let number = 0; number < 200; number++) {
    const owner = { webhookId: `new ${number}`, tokenId: number % 10 };
    if (requests.begin(owner, false, 1)) hanging++;
  }
  expect(hanging).toBe(defaultRequestLimits.retries);
  expect(requests.begin(good, false, 1)).not.toBeNull();
});

it('takes an endpoint for good after a success, until it fails', () => {
  const requests = new OpenRequests(defaultRequestLimits);
  expect(requests.isBad('one')).toBe(true);
  requests.note('one', false);
  expect(requests.isBad('one')).toBe(false);
  requests.note('one', true);
  expect(requests.isBad('one')).toBe(true);
});
