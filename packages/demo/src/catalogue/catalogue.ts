import type { strainTypes } from '@keyfront/protocol';
import planets from './planets.json' with { type: 'json' };
import strains from './strains.json' with { type: 'json' };

/** A theme of storefronts. */
export interface CataloguePlanet {
  readonly number: number;
  readonly name: string;
  readonly description: string;
  readonly look: Look;
}

/** The colors and forms of a planet, following its description. Its strains share them. Colors are `#rrggbb`. */
export interface Look {
  /** The sky, from its darkest color to the horizon. */
  readonly sky: readonly [string, string];
  /** The surface, from dark to light. */
  readonly ground: readonly [string, string, string];
  readonly light: string;
  readonly accent: string;
  readonly leaf: string;
  /** From above. */
  readonly surface: 'bands' | 'land' | 'dunes' | 'lakes' | 'clouds' | 'canyons';
  /** From the ground. */
  readonly landscape: 'hills' | 'peaks' | 'dunes' | 'water' | 'trees' | 'clouds';
  readonly hasRing?: true;
  readonly moons: number;
}

export interface CatalogueStrain {
  /** The number of its planet. */
  readonly planet: number;
  readonly name: string;
  readonly description: string;
  readonly type: (typeof strainTypes)[number];
  readonly thc: number;
  readonly cbd: number;
  readonly flavour: string;
  readonly feelings: string;
  readonly helpsWith: string;
  readonly priceCents: number;
  readonly stock: number;
  /** Set only if the strain is not available. */
  readonly isAvailable?: false;
  /** ISO 3166-1 alpha-3, in alphabetical order. */
  readonly countries: readonly string[];
}

/** Twenty planets with three strains each. All of them are invented. */
export const catalogue = {
  // The type of the import has neither tuples nor enumerations.
  planets: planets as unknown as readonly CataloguePlanet[],
  strains: strains as readonly CatalogueStrain[],
};
