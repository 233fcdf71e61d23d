import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { nobody, forger } = await openStorefront();

it('refuses a caller without credentials, and one whose signature is of another key', async () => {
  for (const caller of [nobody, forger]) {
    // Before it looks at the query, and in the envelope whatever is asked for.
    for (const accept of ['application/json', 'text/csv']) {
      const reply = await caller.ask('GET', '/orders/export?orderBy=x', { headers: { accept } });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 401,
        message: 'User is not authorized',
        data: null,
      });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Signature /);
    }
  }
});
