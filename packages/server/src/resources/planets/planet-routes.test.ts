import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertCatalogue } from '../../../../../test/support/catalogue.ts';
import { curl } from '../../../../../test/support/curl.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

describe('GET /planets', () => {
  it('returns an empty list for an empty catalogue, then all planets by number', async () => {
    const empty = await curl(`${service.origin}/api/v1/planets`);
    expect(empty.text).toBe('{"success":true,"statusCode":200,"message":"Success","data":{"planets":[]}}');
    await insertCatalogue(service.ownerUrl);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect((await curl(`${service.origin}/api/v1/planets`)).json).toEqual({
      success: true,
      statusCode: 200,
      message: 'Success',
      data: {
        planets: [
          {
            id,
            number: 1,
            name: 'Verdane',
            description: 'The first',
            imageUrl: 'https://images.example/1.png',
          },
          { id, number: 2, name: 'Low Tide', description: 'The second', imageUrl: null },
          { id, number: 3, name: 'Cinder', description: 'The third', imageUrl: null },
        ],
      },
    });
  });

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await curl('--head', `${service.origin}/api/v1/planets`);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});
