import { keyfront, read } from './keyfront.server.ts';

export interface Country {
  readonly code: string;
  readonly name: string;
}

const keptMs = 5 * 60_000;
let kept: { readonly countries: readonly Country[]; readonly until: number } | null = null;

/** The countries in which anything is sold, by name. Kept for a while: every page needs them, and they rarely change. */
export async function listCountries(): Promise<readonly Country[]> {
  if (kept && kept.until > Date.now()) return kept.countries;
  const { strains } = await read(keyfront.strains.list({ take: 1000 }));
  const names = new Map<string, string>();
  for (const { strainLocations } of strains) {
    for (const { isActive, location } of strainLocations)
      if (isActive) names.set(location.countryCode, location.country);
  }
  const countries = [...names].map(([code, name]) => ({ code, name }));
  countries.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  kept = { countries, until: Date.now() + keptMs };
  return countries;
}
