import { defineOperations } from '../operation.ts';
import { DeliveryCharge, DeliveryChargeList, DeliveryChargeSetting } from '../schemas/delivery-charges.ts';
import { createdAt, ids } from './examples.ts';

const deliveryCharge = {
  id: ids.deliveryCharge,
  countryCode: 'PRT',
  currency: 'EUR',
  deliveryCharge: 4.9,
  taxRate: 23,
  freeFrom: 75,
  updatedAt: createdAt,
};

export const deliveryChargeOperations = defineOperations({
  listDeliveryCharges: {
    method: 'GET',
    path: '/dapp/delivery-charges',
    access: 'credential',
    tag: 'Catalogue',
    sdk: 'deliveryCharges.list',
    summary: 'List delivery charges',
    description: 'Lists what the delivery to each country costs.',
    status: 200,
    retry: 'safe',
    response: DeliveryChargeList,
    roundTrips: 0,
    example: { response: { deliveryCharges: [deliveryCharge] } },
  },

  setDeliveryCharge: {
    method: 'PUT',
    path: '/admin/delivery-charges',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.deliveryCharges.set',
    summary: 'Set a delivery charge',
    description:
      'Sets what the delivery to a country costs for orders in this currency, and with `taxRate` the tax that prices in the ' +
      'country contain. Carts show the charge immediately. Existing orders keep their charge and their tax.',
    status: 200,
    retry: 'safe',
    body: DeliveryChargeSetting,
    response: DeliveryCharge,
    roundTrips: 2,
    example: {
      body: { countryCode: 'PRT', currency: 'EUR', deliveryCharge: 4.9, freeFrom: 75, taxRate: 23 },
      response: deliveryCharge,
    },
  },
});
