const maxDecimals = 6;

/** Cuts a price of many decimals: `1.084999999999999999` becomes `1.084999…`. It is not rounded, because it may have to be paid. */
export function shortenPrice(price: string): string {
  const [whole, decimals = ''] = price.split('.');
  return decimals.length > maxDecimals ? `${whole}.${decimals.slice(0, maxDecimals)}…` : price;
}
