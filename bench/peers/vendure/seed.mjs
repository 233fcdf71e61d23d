// Creates the tables and the shop, and writes what a buyer must know to SEED_FILE.
import { writeFile } from 'node:fs/promises';
import {
  bootstrap,
  CustomerService,
  Importer,
  Populator,
  ProductVariantService,
  RequestContextService,
  ShippingMethodService,
} from '@vendure/core';
import { lastValueFrom } from 'rxjs';
import { config } from './config.mjs';

const { PRODUCTS, CUSTOMERS, SEED_FILE } = process.env;
const numbers = (count) => Array.from({ length: Number(count) }, (_, n) => n);

const app = await bootstrap({
  ...config,
  dbConnectionOptions: { ...config.dbConnectionOptions, synchronize: true },
});
const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ code: 'DE', name: 'Germany', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 0 }],
  shippingMethods: [{ name: 'Parcel', price: 500 }],
  paymentMethods: [
    {
      name: 'Dummy',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
};
await app.get(Populator).populateInitialData(initialData);
const ctx = await app.get(RequestContextService).create({ apiType: 'admin', languageCode: 'en' });
const columns =
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets';
const products = numbers(PRODUCTS).map(
  (n) =>
    `Strain ${n},strain-${n},${'Grown with care. '.repeat(4)},,,,,strain-${n},10,Standard,1000000000,true,,`,
);
const imported = await lastValueFrom(
  app.get(Importer).parseAndImport([columns, ...products].join('\n'), ctx, false),
);
if (imported.errors?.length > 0) throw new Error(imported.errors.join('\n'));
const customers = app.get(CustomerService);
for (const n of numbers(CUSTOMERS)) {
  await customers.createOrUpdate(ctx, {
    firstName: `Ada ${n}`,
    lastName: 'Customer',
    emailAddress: `ada${n}@example.com`,
  });
}
const { items: variants } = await app.get(ProductVariantService).findAll(ctx, { take: Number(PRODUCTS) });
const { items: shippingMethods } = await app.get(ShippingMethodService).findAll(ctx);
await writeFile(
  SEED_FILE,
  JSON.stringify({ variants: variants.map(({ id }) => id), shippingMethod: shippingMethods[0].id }),
);
await app.close();
process.exit(0);
