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
}

export const demoCurrency = 'EUR';

const euroMarket = { currency: demoCurrency, rate: 1, stepCents: 10 };

/** By ISO 3166-1 alpha-3 code. */
export const markets: Readonly<Record<string, Market>> = {
  AUS: { ...euroMarket, deliveryCents: 1490, freeFromCents: 15000 },
  CHE: { ...euroMarket, deliveryCents: 890, freeFromCents: 10000 },
  CZE: { ...euroMarket, deliveryCents: 490, freeFromCents: 7500 },
  DEU: { ...euroMarket, deliveryCents: 490, freeFromCents: 7500 },
  GBR: { currency: 'GBP', rate: 0.85, stepCents: 10, deliveryCents: 450, freeFromCents: 6500 },
  PRT: { ...euroMarket, deliveryCents: 390, freeFromCents: 6000 },
  THA: { ...euroMarket, deliveryCents: 1290, freeFromCents: 12000 },
  ZAF: { currency: 'ZAR', rate: 20, stepCents: 500, deliveryCents: 8000, freeFromCents: 150000 },
};

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
