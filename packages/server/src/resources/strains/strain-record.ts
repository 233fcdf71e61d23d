import type { Strain } from '@keyfront/protocol';
import type { ImageFields } from './strain-images.ts';

/** A row of `strain_locations`. */
export interface LocationRecord {
  readonly id: string;
  /** ISO 3166-1 alpha-3. */
  readonly countryCode: string;
  readonly isActive: boolean;
  readonly stockQuantity: number;
  /** Null together with the currency: the base price of the strain. */
  readonly retailPrice: number | null;
  readonly currency: string | null;
  /** Of an order in the currency of the location. */
  readonly deliveryCharge: number;
  readonly freeDeliveryAbove: number | null;
}

/** A row of `strains`, with its planet and its locations. Its price is the base price. */
export type StrainRecord = Omit<
  Strain,
  'stockQuantity' | 'countryCodes' | 'strainLocations' | 'imageUrl' | 'strainImages' | 'isActive'
> &
  ImageFields & {
    readonly planetId: string;
    readonly createdAt: string;
    /** Stock that belongs to no country. Only a strain without locations has any. */
    readonly unassignedStock: number;
    /** By country. */
    readonly locations: readonly LocationRecord[];
  };
