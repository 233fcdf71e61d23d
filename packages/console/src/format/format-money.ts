import { locale } from './locale.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** `12.5` and `EUR` as `€12.50`. */
export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency, {}).format(amount);
}

/** `123456` and `EUR` as `€123K`, for axes. */
export function formatShortMoney(amount: number, currency: string): string {
  return formatOf(currency, { notation: 'compact', maximumFractionDigits: 1 }).format(amount);
}

function formatOf(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currency} ${options.notation}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...options,
    });
  formats.set(key, format);
  return format;
}
