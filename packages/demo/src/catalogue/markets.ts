import data from './markets.json' with { type: 'json' };

/** What a country sells in, and what delivery there costs. */
interface Market {
  readonly currency: string;
  /** Units of the currency for one euro. */
  readonly rate: number;
  /** Prices are multiples of this. */
  readonly stepCents: number;
  readonly deliveryCents: number;
  /** Orders with at least this subtotal are delivered free of charge. */
  readonly freeFromCents: number;
  /** Tax that prices contain, in per cent. */
  readonly taxRate: number;
}

export const demoCurrency = 'EUR';

/** By ISO 3166-1 alpha-3 code. */
export const markets: Readonly<Record<string, Market>> = data;

/** Converts a price in euro cents to the price in a market. */
export function convertPrice(euroCents: number, { currency, rate, stepCents }: Market): number {
  return currency === demoCurrency ? euroCents : Math.round((euroCents * rate) / stepCents) * stepCents;
}

/** Returns the market of a country of the demo. */
export function getMarket(countryCode: string): Market {
  const market = markets[countryCode];
  if (!market) throw new RangeError(`There is no market ${countryCode}`);
  return market;
}
