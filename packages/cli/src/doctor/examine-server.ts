import { ConnectionError, KeyfrontError, RateLimitError, ServerError } from '@keyfront/sdk';
import type { Cli } from '../cli.ts';
import { exitCodes, Failure } from '../failure.ts';
import { type ClientOptions, createPublicKeyfront } from '../open-keyfront.ts';
import { type Finding, good } from './examine.ts';

export interface ServerExamination {
  readonly finding: Finding;
  /** Null where the answer does not say. */
  readonly serverTime: Date | null;
}

/** Whether there is an answer at the address, and whether it is that of a Keyfront. */
export async function examineServer(
  cli: Cli,
  url: string,
  options: ClientOptions,
): Promise<ServerExamination> {
  let date: string | null = null;
  const keyfront = createPublicKeyfront(cli, url, {
    ...options,
    fetch: async (input, init) => {
      const response = await cli.fetch(input, init);
      date = response.headers.get('date');
      return response;
    },
  });
  const address = keyfront.baseUrl;
  const health = await keyfront
    .request<unknown>('GET', '/public/healthStatus', { signal: cli.signal })
    .catch((error) => {
      throw explain(error, address);
    });
  if (health !== 'Success') throw wrongAddress(address);
  return { finding: good(`A Keyfront answers at ${address}`), serverTime: readDate(date) };
}

function explain(error: unknown, address: string): unknown {
  if (!(error instanceof KeyfrontError)) return error;
  if (error instanceof ConnectionError) {
    return new Failure(
      `The server is down or cannot be reached: ${error.message}; start it, or correct the address ${address}`,
      exitCodes.unreachable,
      { cause: error },
    );
  }
  if (error instanceof RateLimitError) {
    return new Failure(
      'Too many requests came from this address: wait a minute and try again',
      exitCodes.unreachable,
    );
  }
  const isInTrouble = error instanceof ServerError && (error.status ?? 0) >= 500;
  if (!isInTrouble) return wrongAddress(address, error);
  return new Failure(
    `Something answers at ${address} with ${error.status}, so the service or what it needs is away: look at its log`,
    exitCodes.unreachable,
    { cause: error },
  );
}

function wrongAddress(address: string, cause?: KeyfrontError): Failure {
  const answer = cause?.status ? ` (it answers with ${cause.status})` : '';
  return new Failure(
    `The base address is wrong: there is no Keyfront at ${address}${answer}; correct it with \`keyfront login\` or ` +
      'KEYFRONT_URL',
    exitCodes.unreachable,
    { cause },
  );
}

function readDate(text: string | null): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
