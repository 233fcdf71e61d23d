import { pageMeta } from '@keyfront/protocol';

/** What stands beside a list of one item, for the reference. */
export const onlyPage = pageMeta({ page: 1, take: 10 }, 1);
