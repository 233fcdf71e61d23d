import { type CataloguePlanet, planets } from './planets.ts';
import { strainsOfPlanets1To5 } from './strains-1-to-5.ts';
import { strainsOfPlanets6To10 } from './strains-6-to-10.ts';
import { strainsOfPlanets11To15 } from './strains-11-to-15.ts';
import { strainsOfPlanets16To20 } from './strains-16-to-20.ts';

export interface CatalogueStrain {
  readonly planet: number;
  readonly name: string;
  readonly description: string;
  readonly type: 'INDICA' | 'SATIVA' | 'HYBRID';
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

export const catalogue: {
  readonly planets: readonly CataloguePlanet[];
  readonly strains: readonly CatalogueStrain[];
} = {
  planets,
  strains: [
    ...strainsOfPlanets1To5,
    ...strainsOfPlanets6To10,
    ...strainsOfPlanets11To15,
    ...strainsOfPlanets16To20,
  ],
};
