import { useQuery } from '@tanstack/react-query';
import { locale } from '../../format/locale.ts';
import { getKeyfront } from '../../session/keyfront.ts';

/** The countries that something is sold in, by name. */
export function useCountries(): { value: string; label: string }[] {
  const { data } = useQuery({
    queryKey: ['strains', 'countries'],
    queryFn: async ({ signal }) => {
      const { strains } = await getKeyfront().strains.list({ take: 200 }, { signal });
      const names = new Map<string, string>();
      for (const { strainLocations } of strains) {
        for (const { location } of strainLocations) names.set(location.countryCode, location.country);
      }
      return [...names]
        .map(([value, label]) => ({ value, label }))
        .sort((a, b) => a.label.localeCompare(b.label, locale));
    },
    staleTime: 300_000,
  });
  return data ?? [];
}
