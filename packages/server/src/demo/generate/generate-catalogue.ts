import { formatCents } from '../../amounts.ts';
import { dayMs } from '../../utc-days.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { PlanetRow, StrainRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { type Random, uuidV7 } from './random.ts';

export const demoCurrency = 'EUR';

/** A strain with its price history. */
export interface PricedStrain {
  readonly row: StrainRow;
  priceCentsAt(timeMs: number): number;
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
      imageUrl: null,
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
      stockQuantity: strain.stock,
      isAvailable: strain.isAvailable ?? true,
      imageUrl: null,
      countryCodes: strain.countries,
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(raisedAt),
    };
    return {
      row,
      priceCentsAt: (timeMs) => (timeMs < raisedAt ? strain.priceCents - raiseCents : strain.priceCents),
    };
  });
  return { planets, strains };
}
