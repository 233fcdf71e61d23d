import { formatCents } from '../../lib/amounts.ts';
import { dayMs } from '../../lib/utc-days.ts';
import { type CatalogueStrain, catalogue } from '../catalogue/catalogue.ts';
import { convertPrice, demoCurrency, getMarket, markets } from '../catalogue/markets.ts';
import { demoImageUrl } from '../images/demo-drawings.ts';
import type { DeliveryChargeRow, PlanetRow, StrainLocationRow, StrainRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { type Random, uuidV7 } from './random.ts';

/** A strain with its price history. */
export interface PricedStrain {
  readonly row: StrainRow;
  /** One for each country in which the strain is sold. */
  readonly locations: readonly StrainLocationRow[];
  /** In the currency of the country. */
  priceCentsAt(timeMs: number, countryCode: string): number;
}

const catalogueAgeDays = 400;

export function generateCatalogue(
  random: Random,
  midnightMs: number,
): { planets: PlanetRow[]; strains: PricedStrain[] } {
  const start = midnightMs - catalogueAgeDays * dayMs;
  const planets = catalogue.planets.map(({ number, name, description }, index) => {
    const time = start + index * 60_000;
    const id = uuidV7(random, time);
    return {
      id,
      number,
      name,
      description,
      imageUrl: demoImageUrl('planets', name),
      createdAt: formatTime(time),
      updatedAt: formatTime(time),
    };
  });
  const planetIds = new Map(planets.map(({ number, id }) => [number, id]));

  const strains = catalogue.strains.map((strain, index): PricedStrain => {
    const planetId = planetIds.get(strain.planet);
    if (!planetId) throw new RangeError(`There is no planet ${strain.planet} for ${strain.name}`);
    const createdAt = start + dayMs + index * 60_000;
    // The price of a third of the strains rose during the weeks that the orders cover.
    const raisedAt = random.chance(1 / 3) ? midnightMs - random.integer(35, 80) * dayMs : createdAt;
    const raiseCents = random.integer(2, 6) * 10;
    const row: StrainRow = {
      id: uuidV7(random, createdAt),
      planetId,
      name: strain.name,
      description: strain.description,
      type: strain.type,
      thc: strain.thc,
      cbd: strain.cbd,
      flavour: strain.flavour,
      feelings: strain.feelings,
      helpsWith: strain.helpsWith,
      retailPrice: formatCents(strain.priceCents),
      currency: demoCurrency,
      isAvailable: strain.isAvailable ?? true,
      imageUrl: demoImageUrl('strains', strain.name),
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(raisedAt),
    };
    return {
      row,
      locations: strain.countries.map((countryCode) => locate(row.id, strain, countryCode)),
      priceCentsAt: (timeMs, countryCode) => {
        const euroCents = timeMs < raisedAt ? strain.priceCents - raiseCents : strain.priceCents;
        return convertPrice(euroCents, getMarket(countryCode));
      },
    };
  });
  return { planets, strains };
}

/** A country in another currency has a price of its own. */
function locate(strainId: string, strain: CatalogueStrain, countryCode: string): StrainLocationRow {
  const market = getMarket(countryCode);
  const isInEuro = market.currency === demoCurrency;
  return {
    strainId,
    countryCode,
    stockQuantity: strain.stock,
    retailPrice: isInEuro ? null : formatCents(convertPrice(strain.priceCents, market)),
    currency: isInEuro ? null : market.currency,
  };
}

/** Generates what the delivery to each country costs. */
export function generateDeliveryCharges(): DeliveryChargeRow[] {
  return Object.entries(markets).map(([countryCode, { currency, deliveryCents, freeFromCents }]) => ({
    countryCode,
    currency,
    deliveryCharge: formatCents(deliveryCents),
    freeFrom: formatCents(freeFromCents),
  }));
}
