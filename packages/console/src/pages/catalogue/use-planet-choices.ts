import { useQuery } from '@tanstack/react-query';
import { getKeyfront } from '../../session/keyfront.ts';

/** The names of all planets by their number. */
export function usePlanetChoices(): Readonly<Record<string, string>> {
  const { data } = useQuery({
    queryKey: ['planets'],
    queryFn: ({ signal }) => getKeyfront().planets.list({ signal }),
    staleTime: 300_000,
  });
  return Object.fromEntries(data?.planets.map(({ number, name }) => [String(number), name]) ?? []);
}
