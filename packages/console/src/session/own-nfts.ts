import { queryOptions } from '@tanstack/react-query';
import { getKeyfront } from './keyfront.ts';

/** The digital keys of the holder, one of which is the primary one. */
export const ownNfts = queryOptions({
  queryKey: ['holder', 'nfts'],
  queryFn: () => getKeyfront().holder.nfts(),
});
