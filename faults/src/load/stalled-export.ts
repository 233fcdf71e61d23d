import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type HolderCredentials, signSimply } from './holders.ts';

/** A CSV export of which nothing but the headers was read. */
export interface StalledExport {
  readonly status: number;
  /** Reads the rest. Returns whether it was complete. */
  finish(): Promise<boolean>;
  close(): void;
}

const filters = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';

/** Starts a download and reads nothing but its headers. */
export async function openStalledExport(baseUrl: string, holder: HolderCredentials): Promise<StalledExport> {
  const request = get(`${baseUrl}/orders/export?${filters}`, {
    agent: false,
    headers: { accept: 'text/csv', ...signSimply(holder, filters) },
  });
  // Before the response, `once` reports it. After that, the response is incomplete.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    finish: async () => {
      response.resume();
      if (!response.closed) await once(response, 'close');
      return response.complete;
    },
    close: () => request.destroy(),
  };
}
