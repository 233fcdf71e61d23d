import { expect, it } from 'vitest';
import { createHarness, success } from '../../test/cli-harness.ts';

const event = {
  id: 'evt_000000000bn0000000301ja3dj7e0',
  type: 'order.created',
  createdAt: '2026-11-15T09:30:00.000Z',
  tokenId: 7,
  data: { id: '019a8f3e-7c00-7000-8000-000000000501' },
};

it('lists events of all pages as a table or as JSON', async () => {
  const pages = [
    { events: [event], hasMore: true, nextAfter: event.id },
    { events: [{ ...event, id: 'evt_2' }], hasMore: false, nextAfter: 'evt_2' },
  ];
  const harness = createHarness({
    respond: ({ target }) => success(pages[target.includes('after=') ? 1 : 0]),
  });
  const { stdout } = await harness.run('events', 'list', '--events', 'order.*');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['TIME', 'TYPE', 'RESOURCE', 'ID'],
    [event.createdAt, event.type, event.data.id, event.id],
    [event.createdAt, event.type, event.data.id, 'evt_2'],
    [''],
  ]);
  expect(JSON.parse((await harness.run('events', 'list', '--json')).stdout)).toHaveLength(2);
});

it('leaves out events before --since, and says when there are none', async () => {
  const respond = () => success({ events: [event], hasMore: false, nextAfter: event.id });
  const harness = createHarness({ respond, now: new Date('2026-11-15T12:00:00.000Z') });
  expect(await harness.run('events', 'list', '--since', '1h')).toMatchObject({
    stdout: '',
    stderr: 'No events.\n',
  });
  expect((await harness.run('events', 'list', '--since', '3h', '--json')).stdout).toContain(event.id);
});

it('lists the newest events first, as many as asked for', async () => {
  const pages = [
    { events: [{ ...event, id: 'evt_3' }, event], hasMore: true, nextAfter: 'evt_3', nextBefore: 'evt_2' },
    { events: [{ ...event, id: 'evt_1' }], hasMore: true, nextAfter: 'evt_1', nextBefore: 'evt_1' },
  ];
  const harness = createHarness({
    respond: ({ target }) => success(pages[target.includes('before=') ? 1 : 0]),
  });
  const { stdout } = await harness.run('events', 'list', '--newest', '3', '--events', 'order.*', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'evt_3' }, { id: event.id }, { id: 'evt_1' }]);
  expect(harness.requests.map(({ target }) => target)).toEqual([
    expect.stringMatching(/take=3&.*orderBy=desc|orderBy=desc.*take=3/),
    expect.stringContaining('take=1'),
  ]);
});

it.each(['0', '-1', 'all', '1.5'])('refuses --newest %s', async (count) => {
  const { stderr, code } = await createHarness({}).run('events', 'list', `--newest=${count}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a number from 1 to 999999.')]);
});

it('shows an event', async () => {
  const harness = createHarness({ respond: () => success(event) });
  expect(JSON.parse((await harness.run('events', 'show', event.id)).stdout)).toEqual(event);
  expect(harness.requests[0]?.target).toBe(`/events/${event.id}`);
});
