// Creates the shop, and writes what a buyer must know to SEED_FILE.
const { writeFile } = require('node:fs/promises');
const {
  createApiKeysWorkflow,
  createCustomersWorkflow,
  createInventoryLevelsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
} = require('@medusajs/medusa/core-flows');

const { PRODUCTS, CUSTOMERS, SEED_FILE } = process.env;
const stock = 1_000_000_000;
const numbers = (count) => Array.from({ length: Number(count) }, (_, n) => n);

exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Bench' }] });
  const [location] = await run(createStockLocationsWorkflow, {
    locations: [{ name: 'Berlin', address: { address_1: 'Street 1', city: 'Berlin', country_code: 'de' } }],
  });
  await run(linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] });
  const [region] = await run(createRegionsWorkflow, {
    regions: [
      { name: 'Germany', currency_code: 'eur', countries: ['de'], payment_providers: ['pp_system_default'] },
    ],
  });
  await run(createTaxRegionsWorkflow, [{ country_code: 'de', provider_id: 'tp_system' }]);
  const shippingOption = await createShippingOption(container, run, region, location);
  const [key] = await run(createApiKeysWorkflow, {
    api_keys: [{ title: 'Bench', type: 'publishable', created_by: '' }],
  });
  await run(linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const products = await run(createProductsWorkflow, {
    products: numbers(PRODUCTS).map((n) => ({
      title: `Strain ${n}`,
      description: 'Grown with care. '.repeat(4),
      status: 'published',
      sales_channels: [{ id: channel.id }],
      shipping_profile_id: shippingOption.shipping_profile_id,
      options: [{ title: 'Size', values: ['One'] }],
      variants: [
        {
          title: 'One',
          sku: `strain-${n}`,
          options: { Size: 'One' },
          manage_inventory: true,
          prices: [{ amount: 10, currency_code: 'eur' }],
        },
      ],
    })),
  });
  const { data: items } = await container
    .resolve('query')
    .graph({ entity: 'inventory_item', fields: ['id'] });
  await run(createInventoryLevelsWorkflow, {
    inventory_levels: items.map(({ id }) => ({
      inventory_item_id: id,
      location_id: location.id,
      stocked_quantity: stock,
    })),
  });
  await run(createCustomersWorkflow, {
    customersData: numbers(CUSTOMERS).map((n) => ({
      first_name: `Ada ${n}`,
      last_name: 'Customer',
      email: `ada${n}@example.com`,
    })),
  });
  await writeFile(
    SEED_FILE,
    JSON.stringify({
      key: key.token,
      region: region.id,
      salesChannel: channel.id,
      shippingOption: shippingOption.id,
      variants: products.map(({ variants }) => variants[0].id),
    }),
  );
};

async function createShippingOption(container, run, region, location) {
  const fulfillment = container.resolve('fulfillment');
  const [profile] = await run(createShippingProfilesWorkflow, {
    data: [{ name: 'Parcels', type: 'default' }],
  });
  const set = await fulfillment.createFulfillmentSets({
    name: 'Parcels',
    type: 'shipping',
    service_zones: [{ name: 'Germany', geo_zones: [{ country_code: 'de', type: 'country' }] }],
  });
  const link = container.resolve('link');
  await link.create([
    {
      stock_location: { stock_location_id: location.id },
      fulfillment: { fulfillment_provider_id: 'manual_manual' },
    },
    { stock_location: { stock_location_id: location.id }, fulfillment: { fulfillment_set_id: set.id } },
  ]);
  const [option] = await run(createShippingOptionsWorkflow, [
    {
      name: 'Parcel',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Parcel', description: 'A parcel.', code: 'parcel' },
      prices: [{ region_id: region.id, amount: 5 }],
      rules: [],
    },
  ]);
  return option;
}
