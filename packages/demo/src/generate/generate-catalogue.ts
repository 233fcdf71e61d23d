import { type CatalogueStrain, catalogue } from '../catalogue/catalogue.ts';
import { convertPrice, demoCurrency, getMarket, markets } from '../catalogue/markets.ts';
import { demoImageUrl } from '../images/demo-drawings.ts';
import { dayMs, formatTime } from '../values/days.ts';
import { formatCents } from '../values/format-cents.ts';
import { type Random, uuidV7 } from '../values/random.ts';
import { requireDefined } from '../values/require-defined.ts';

/** A strain with its price history. */
export type PricedStrain = ReturnType<typeof generateCatalogue>['strains'][number];

const catalogueAgeDays = 400;

export function generateCatalogue(random: Random, midnightMs: number) {
  const start = midnightMs - catalogueAgeDays * dayMs;
  const planets = catalogue.planets.map(({ number, name, description }, index) => {
    const time = start + index * 60_000;
    return {
      id: uuidV7(random, time),
      number,
      name,
      description,
      imageUrl: demoImageUrl('planets', name),
      createdAt: formatTime(time),
      updatedAt: formatTime(time),
    };
  });
  const planetIds = new Map(planets.map(({ number, id }) => [number, id]));

  const strains = catalogue.strains.map((strain, index) => {
    const createdAt = start + dayMs + index * 60_000;
    // The price of a third of the strains rose during the weeks that the orders cover.
    const raisedAt = random.chance(1 / 3) ? midnightMs - random.integer(35, 80) * dayMs : createdAt;
    const raiseCents = random.integer(2, 6) * 10;
    const row = {
      id: uuidV7(random, createdAt),
      planetId: requireDefined(planetIds.get(strain.planet)),
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
      /** One for each country in which the strain is sold. */
      locations: strain.countries.map((countryCode) => locate(row.id, strain, countryCode)),
      /** In the currency of the country. */
      priceCentsAt: (timeMs: number, countryCode: string) => {
        const euroCents = timeMs < raisedAt ? strain.priceCents - raiseCents : strain.priceCents;
        return convertPrice(euroCents, getMarket(countryCode));
      },
    };
  });
  return { planets, strains };
}

/** A country in another currency has a price of its own. */
function locate(strainId: string, { stock, priceCents }: CatalogueStrain, countryCode: string) {
  const market = getMarket(countryCode);
  const isInEuro = market.currency === demoCurrency;
  return {
    strainId,
    countryCode,
    stockQuantity: stock,
    retailPrice: isInEuro ? null : formatCents(convertPrice(priceCents, market)),
    currency: isInEuro ? null : market.currency,
  };
}

/** Generates what the delivery to each country costs. */
/** Generates the tax rates of all markets. */
export function generateTaxRates() {
  return Object.entries(markets).map(([countryCode, { taxRate }]) => ({ countryCode, taxRate }));
}

export function generateDeliveryCharges() {
  return Object.entries(markets).map(([countryCode, { currency, deliveryCents, freeFromCents }]) => ({
    countryCode,
    currency,
    deliveryCharge: formatCents(deliveryCents),
    freeFrom: formatCents(freeFromCents),
  }));
}
