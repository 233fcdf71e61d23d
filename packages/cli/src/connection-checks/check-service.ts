import { ConnectionError, KeyfrontError, RateLimitError, ServerError } from '@keyfront/sdk';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ClientOptions, createAnonymousClient } from '../create-client.ts';
import { type CheckResult, passed } from './check-result.ts';

export interface ServiceCheck {
  readonly result: CheckResult;
  /** Null if the response has no `Date` header. */
  readonly serviceTime: Date | null;
}

/** Checks that the URL can be reached and belongs to a Keyfront service. */
export async function checkService(
  context: Context,
  url: string,
  options: ClientOptions,
): Promise<ServiceCheck> {
  let date: string | null = null;
  const { fetch = context.fetch } = options;
  const keyfront = createAnonymousClient(context, url, {
    ...options,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      date = response.headers.get('date');
      return response;
    },
  });
  const { baseUrl } = keyfront;
  const health = await keyfront
    .request<unknown>('GET', '/public/healthStatus', { signal: context.signal })
    .catch((error) => {
      throw explain(error, baseUrl, context.now());
    });
  if (health !== 'Success') throw notKeyfront(baseUrl);
  return { result: passed(`Keyfront responds at ${baseUrl}`), serviceTime: parseDate(date) };
}

function explain(error: unknown, baseUrl: string, localTime: Date): unknown {
  if (!(error instanceof KeyfrontError)) return error;
  if (error instanceof ConnectionError) return unreachable(error, baseUrl, localTime);
  if (error instanceof RateLimitError) {
    return new CliError(
      'The service received too many requests from this network. Wait a minute and try again.',
      exitCodes.unavailable,
      { cause: error },
    );
  }
  if (!(error instanceof ServerError) || (error.status ?? 0) < 500) return notKeyfront(baseUrl, error);
  return new CliError(
    `${baseUrl} responds with ${error.status}: the service or its database is down. Check its log.`,
    exitCodes.unavailable,
    { cause: error },
  );
}

function unreachable(error: ConnectionError, baseUrl: string, localTime: Date): CliError {
  const advice = /CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/.test(error.message)
    ? `The certificate is not valid at ${localTime.toISOString()}. Check the clock of this machine, then the certificate.`
    : 'Check that the service is running and that the URL is correct.';
  return new CliError(`Cannot reach ${baseUrl}: ${error.message}. ${advice}`, exitCodes.unavailable, {
    cause: error,
  });
}

function notKeyfront(baseUrl: string, cause?: KeyfrontError): CliError {
  const status = cause?.status ? ` (status ${cause.status})` : '';
  return new CliError(
    `${baseUrl} is not a Keyfront service${status}. Check the URL.`,
    exitCodes.unavailable,
    {
      cause,
    },
  );
}

function parseDate(text: string | null): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
