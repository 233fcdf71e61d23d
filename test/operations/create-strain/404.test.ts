import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

it.each(['999999999', '0', '99999999999999999999', 'Nowhere', '%', "' OR true --", unknownId])(
  'knows no planet %s',
  async (planet) => {
    const name = `Homeless ${holder.tokenId}`;
    const reply = await admin.ask('POST', '/admin/strains', {
      body: {
        name,
        type: 'SATIVA',
        thc: 1,
        cbd: 1,
        retailPrice: 1,
        currency: 'EUR',
        stockQuantity: 1,
        planet,
      },
    });
    expect(reply.status).toBe(404);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Planet not found',
      data: null,
    });
    expect(await sql('SELECT FROM strains WHERE name = $1', [name])).toEqual([]);
  },
);
