import { lazily } from './lazily.ts';
import { locale } from './locale.ts';

const plain = lazily(() => new Intl.NumberFormat(locale));
const percent = lazily(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));

/** `1,234` */
export function formatNumber(value: number): string {
  return plain().format(value);
}

/** `0.125` as `12.5%` */
export function formatPercent(ratio: number): string {
  return percent().format(ratio);
}
