import type { Strain, StrainLocation } from '@keyfront/protocol';
import { nameCountry } from '@keyfront/validation/countries';
import { listImages } from './strain-images.ts';
import type { LocationRecord, StrainRecord } from './strain-record.ts';

/**
 * Converts a strain to its response. Price, stock, availability and locations are those of the country; without one, the base price,
 * the stock of all countries, and whether any of them can order it.
 */
export function toStrain(record: StrainRecord, countryCode: string | null): Strain {
  const locations = record.locations.map((location) => toLocation(record, location));
  const requested = locations.find(({ location }) => location.countryCode === countryCode);
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    type: record.type,
    thc: record.thc,
    cbd: record.cbd,
    flavour: record.flavour,
    feelings: record.feelings,
    helpsWith: record.helpsWith,
    retailPrice: requested?.retailPrice ?? record.retailPrice,
    currency: requested?.currency ?? record.currency,
    stockQuantity: countryCode === null ? sumStock(record) : (requested?.stockQuantity ?? 0),
    isActive: record.isAvailable,
    isAvailable:
      countryCode === null
        ? locations.some(({ isAvailable }) => isAvailable)
        : (requested?.isAvailable ?? false),
    imageUrl: record.imageUrl,
    strainImages: listImages(record),
    countryCodes: record.locations.filter(({ isActive }) => isActive).map((each) => each.countryCode),
    strainLocations: countryCode === null ? locations : requested ? [requested] : [],
    planet: record.planet,
  };
}

function toLocation(strain: StrainRecord, location: LocationRecord): StrainLocation {
  const { id, countryCode, isActive, stockQuantity, deliveryCharge, freeDeliveryAbove } = location;
  const currency = location.currency ?? strain.currency;
  return {
    id,
    isActive,
    isAvailable: strain.isAvailable && isActive && stockQuantity > 0,
    stockQuantity,
    retailPrice: location.retailPrice ?? strain.retailPrice,
    currency,
    location: {
      country: nameCountry(countryCode),
      countryCode,
      currency,
      deliveryCharge,
      freeDeliveryAbove,
    },
  };
}

function sumStock({ unassignedStock, locations }: StrainRecord): number {
  return locations.reduce((sum, { stockQuantity }) => sum + stockQuantity, unassignedStock);
}
