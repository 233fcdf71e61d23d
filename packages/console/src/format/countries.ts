import { iso31661Alpha3ToAlpha2 } from 'iso-3166';
import { locale } from './locale.ts';

/** The service knows these countries too, and one more: Kosovo, whose codes the standard leaves to its users. */
const alpha2ByAlpha3: ReadonlyMap<string, string> = new Map([
  ...Object.entries(iso31661Alpha3ToAlpha2),
  ['XKX', 'XK'],
]);
const names = new Intl.DisplayNames('en', { type: 'region' });

/** `Germany` for `DEU`. The code itself if no country has it. */
export function nameCountry(alpha3: string): string {
  const alpha2 = alpha2ByAlpha3.get(alpha3);
  return (alpha2 && names.of(alpha2)) ?? alpha3;
}

/** Every country with its code, by name. */
export const countries: readonly { readonly value: string; readonly label: string }[] = [
  ...alpha2ByAlpha3.keys(),
]
  .map((value) => ({ value, label: nameCountry(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, locale));
