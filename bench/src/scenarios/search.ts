import { fetchBody, signedGet } from '../bench.ts';
import { measureInterleaved } from '../measure/interleaved.ts';
import { type Row, timesOf } from '../report/row.ts';
import { invoiceNumberOf } from '../store/invoice-numbers.ts';
import { tokens } from '../store/seed.ts';
import type { Scenario } from './scenario.ts';

/** Of the smallest store that the bench measures. */
const [number, email] = [invoiceNumberOf(tokens.large, 50), 'ada9876@example.com'];
/** Each finds one order or one client. */
const searches = [
  { list: '/dapp/orders', search: number, what: 'an invoice number' },
  { list: '/dapp/orders', search: number.slice(-8), what: 'a part of one' },
  { list: '/dapp/clients', search: email, what: 'an e-mail address' },
] as const;

/** Searches of the large holder compared with pages of its lists. */
export const search: Scenario = {
  name: 'search',
  measure: async ({ service, signers, sizes, registerRequests, measureRate }) => {
    const rows: Row[] = [];
    for (const { list, search, what } of searches) {
      const requestsFor = (path: string) => registerRequests(Array(100).fill(signedGet(signers.large, path)));
      const path = `${list}?search=${encodeURIComponent(search)}`;
      const { data } = JSON.parse(await fetchBody(service.baseUrl, signedGet(signers.large, path)));
      if (data.pageMetaDto.itemCount !== 1)
        throw new Error(`The search for ${what} did not find exactly one`);
      const searched = requestsFor(path);
      const listed = requestsFor(list);
      const every = (seconds: number) => ({
        search: () => measureRate(service.baseUrl, searched, { until: { seconds } }),
        list: () => measureRate(service.baseUrl, listed, { until: { seconds } }),
      });
      const rates = await measureInterleaved(every(sizes.runSeconds), every(sizes.warmUpSeconds));
      rows.push({
        id: `search ${list} ${what}`,
        what: `GET ${list} with a search for ${what}, ${sizes.orders.toLocaleString('en-US')} orders`,
        figure: { value: rates.search, unit: 'req/s' },
        limit: { what: 'a page of the list', value: rates.list, unit: 'req/s' },
        judged: timesOf(rates.search, rates.list, 2),
      });
    }
    return rows;
  },
};
