import type { CartItem } from '@keyfront/protocol';

/** A strain as it is offered in one country: at its price, with its stock. */
export type Offer = CartItem['strain'] & {
  /** Whether the strain is sold in the country. */
  readonly isSold: boolean;
  /** Whether the strain can be put into a cart, with or without stock. */
  readonly isOffered: boolean;
};

/** Joins the location of a strain in a country. `country` is the SQL of its alpha-3 code, or of '' if none is known. */
export const joinLocation = (country: string) =>
  `LEFT JOIN strain_locations AS location
     ON location.strain_id = strains.id AND location.country_code = ${country}`;

/**
 * Composes the SQL of an offer, from `strains` with `joinLocation`. As long as no country is known: the base price, and the stock of
 * all countries.
 */
export const composeOffer = (country: string) => `json_build_object(
  'id', strains.id, 'name', strains.name, 'imageUrl', strains.image_url,
  'retailPrice', coalesce(location.retail_price, strains.retail_price),
  'currency', coalesce(location.currency, strains.currency),
  'isSold', ${country} = '' OR location.is_active IS TRUE,
  'isOffered', strains.is_available AND CASE WHEN ${country} = ''
    THEN EXISTS (SELECT FROM strain_locations AS any_location WHERE strain_id = strains.id AND is_active)
    ELSE location.is_active IS TRUE END,
  'isAvailable', strains.is_available AND CASE WHEN ${country} = ''
    THEN EXISTS (SELECT FROM strain_locations AS any_location WHERE strain_id = strains.id AND is_active AND stock_quantity > 0)
    ELSE location.is_active IS TRUE AND location.stock_quantity > 0 END,
  'stockQuantity', CASE WHEN ${country} = ''
    THEN (SELECT coalesce(sum(stock_quantity), 0) FROM strain_locations AS any_location WHERE strain_id = strains.id)
    ELSE coalesce(location.stock_quantity, 0) END)`;
