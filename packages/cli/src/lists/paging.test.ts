import { describe, expect, it } from 'vitest';
import { createHarness, type SentRequest, success } from '../../test/cli-harness.ts';

/** A service with this many clients. */
const withClients = (count: number) => {
  const all = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    firstName: 'A',
    lastName: 'B',
  }));
  return ({ target }: SentRequest) => {
    const query = new URL(target, 'http://keyfront.test').searchParams;
    const [page, take] = [Number(query.get('page') ?? 1), Number(query.get('take') ?? 10)];
    const pageCount = Math.ceil(count / take);
    return success({
      clients: all.slice((page - 1) * take, page * take),
      pageMetaDto: { page, take, pageCount, itemCount: count, hasNextPage: page < pageCount },
    });
  };
};

const list = async (count: number, ...options: string[]) => {
  const harness = createHarness({ respond: withClients(count) });
  const { code, stdout, stderr } = await harness.run('clients', 'list', '--json', ...options);
  const shown = code === 0 ? JSON.parse(stdout).length : 0;
  return { code, shown, stderr, requestCount: harness.requests.length };
};

describe('a list', () => {
  it.each([
    [49, [], 49, 1],
    [50, [], 50, 1],
    [20, ['--limit', '20'], 20, 1],
    [250, ['--limit', '250'], 250, 3],
    [250, ['--all'], 250, 3],
    [0, ['--all'], 0, 1],
  ])('of %i is complete with %j', async (count, options, shown, requestCount) => {
    expect(await list(count, ...options)).toEqual({ code: 0, shown, stderr: '', requestCount });
  });

  it.each([
    [51, [], 50, 1],
    [250, ['--limit', '20'], 20, 1],
    [250, ['--limit', '120'], 120, 2],
  ])('of %i ends with a note with %j', async (count, options, shown, requestCount) => {
    const stderr = `These are the first ${shown}. Use --limit or --all to see more.\n`;
    expect(await list(count, ...options)).toEqual({ code: 0, shown, stderr, requestCount });
  });

  it.each([[['--limit', '0']], [['--limit', 'x']], [['--limit', '5', '--all']]])(
    'is refused with %j',
    async (options) => {
      expect(await list(10, ...options)).toMatchObject({ code: 2, requestCount: 0 });
    },
  );
});

it('continues events and deliveries where a page ends', async () => {
  const items = Array.from({ length: 7 }, (_, index) => ({
    id: `item_${index}`,
    type: 'order.created',
    data: {},
  }));
  const respond = ({ target }: SentRequest) => {
    const query = new URL(target, 'http://keyfront.test').searchParams;
    const begin = items.findIndex(({ id }) => id === (query.get('after') ?? query.get('before'))) + 1;
    // Fewer than asked for, so that there are several pages.
    const page = items.slice(begin, begin + Math.min(2, Number(query.get('take'))));
    const hasMore = begin + page.length < items.length;
    return success({ events: page, deliveries: page, hasMore, nextAfter: page.at(-1)?.id ?? null });
  };
  for (const command of [
    ['events', 'list'],
    ['webhooks', 'deliveries', '7'],
  ]) {
    const harness = createHarness({ respond });
    const all = await harness.run(...command, '--json', '--all');
    expect(JSON.parse(all.stdout)).toEqual(items);
    const some = await harness.run(...command, '--json', '--limit', '3');
    expect(JSON.parse(some.stdout)).toEqual(items.slice(0, 3));
    expect(some.stderr).toContain('These are the first 3.');
  }
});
