import { shortenPrice } from './shorten-price.ts';

interface TokenPriceProps {
  readonly price: string;
  readonly currency: string;
}

/** A price in a table, short. The pointer shows all of its decimals. */
export function TokenPrice({ price, currency }: TokenPriceProps) {
  return (
    <span title={`${price} ${currency}`}>
      {shortenPrice(price)} {currency}
    </span>
  );
}
