import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DemoService, startDemoService } from '../support/demo-service.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

/** A reader that knows one address. It reads Markdown, follows links, and runs samples with values that it has read. */
class Agent {
  readonly #variables: Record<string, string>;
  #list = '';

  constructor(variables: Record<string, string>) {
    this.#variables = variables;
  }

  async start(address: string): Promise<void> {
    const response = await fetch(`${address}/llms.txt`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    this.#list = await response.text();
  }

  /** Reads the page that the list names. */
  async read(title: string): Promise<string> {
    const [, href = ''] = new RegExp(`^- \\[${title}\\]\\((\\S+)\\)`, 'm').exec(this.#list) ?? [];
    const response = await fetch(href);
    expect([title, response.status]).toEqual([title, 200]);
    expect(response.headers.get('content-type')).toMatch(/^text\/markdown/);
    return response.text();
  }

  /** Runs the curl sample of a page, changed by `adapt`, and returns the `data` of the response. */
  async run(page: string, adapt: (sample: string) => string): Promise<Record<string, unknown>> {
    const [, sample = ''] = /### curl\n\n```bash\n([\s\S]*?)\n```/.exec(page) ?? [];
    const shell = spawn('bash', { env: { PATH: process.env.PATH, ...this.#variables }, stdio: 'pipe' });
    shell.stdin.end(`${adapt(sample)}\n`);
    const envelope = JSON.parse(await text(shell.stdout));
    expect(envelope).toMatchObject({ success: true });
    return envelope.data;
  }
}

/** The name of the parameter or field whose description says this. */
function nameOf(page: string, words: RegExp): string {
  const line = page.split('\n').find((each) => words.test(each)) ?? '';
  const [, name = ''] = /^\s*- `([^`]+)`/.exec(line) ?? [];
  expect(name).not.toBe('');
  return name;
}

const withQuery = (query: Record<string, string>) => (sample: string) =>
  sample.replace(/^url="([^"?]*)[^"]*"/m, (_line, url) => `url="${url}?${new URLSearchParams(query)}"`);
const withBody = (body: object) => (sample: string) =>
  sample.replace(/^body='[^']*'/m, () => `body='${JSON.stringify(body)}'`);

it('places an order with nothing but llms.txt, its links and an API key', async () => {
  const [holder] = service.demo.holders;
  const agent = new Agent({
    KEYFRONT_API_KEY: holder.apiKey,
    KEYFRONT_SECRET_KEY: holder.secretKey,
  });
  await agent.start(service.origin);

  const clientsPage = await agent.read('List clients');
  const { clients } = (await agent.run(
    clientsPage,
    withQuery({
      [nameOf(clientsPage, /Only clients that may order/)]: 'true',
      [nameOf(clientsPage, /Only clients whose identity is verified/)]: 'true',
      [nameOf(clientsPage, /Only clients with this approval/)]: 'VERIFIED',
    }),
  )) as { clients: { id: string; shipping: { countryCode: string } }[] };
  const client = clients[0];

  const strainsPage = await agent.read('List strains');
  const { strains } = (await agent.run(
    strainsPage,
    withQuery({ [nameOf(strainsPage, /^- `countryCode`/)]: client?.shipping.countryCode ?? '', take: '20' }),
  )) as { strains: { id: string; isAvailable: boolean }[] };
  const strain = strains.find(({ isAvailable }) => isAvailable);

  const orderPage = await agent.read('Create an order');
  const order = await agent.run(
    orderPage,
    withBody({
      [nameOf(orderPage, /Id of the client who orders/)]: client?.id,
      [nameOf(orderPage, /The order contains exactly these items/)]: [
        {
          [nameOf(orderPage, /Id of the strain/)]: strain?.id,
          [nameOf(orderPage, /Number of units/)]: 1,
        },
      ],
    }),
  );
  expect(order).toMatchObject({ orderStatus: 'PENDING', totalQuantity: 1, client: { id: client?.id } });

  const read = await agent.run(await agent.read('Get an order'), (sample) =>
    sample.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, String(order.id)),
  );
  expect(read).toMatchObject({ id: order.id, invoiceNumber: order.invoiceNumber });
});
