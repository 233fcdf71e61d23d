import {
  AuthenticationError,
  ConflictError,
  type ErrorFacts,
  ForbiddenError,
  KeyfrontError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';

/** The error that an answer without success stands for. */
export function errorOf(
  { message, data }: { readonly message: unknown; readonly data: unknown },
  wwwAuthenticate: string | null,
  facts: ErrorFacts & { readonly status: number },
): KeyfrontError {
  const { status } = facts;
  const sentence = listSentences(message).join('; ') || `The service answered with ${status}`;
  if (status === 400) {
    const sentences = [data, message].map(listSentences).find(({ length }) => length > 0);
    return new ValidationError(sentences ?? [sentence], facts);
  }
  if (status === 401) return new AuthenticationError(sentence, readReason(wwwAuthenticate), facts);
  if (status === 403) return new ForbiddenError(sentence, facts);
  if (status === 404) return new NotFoundError(sentence, facts);
  if (status === 409 || status === 422) return new ConflictError(sentence, facts);
  if (status === 429) return new RateLimitError(sentence, facts);
  if (status >= 500) return new ServerError(sentence, facts);
  return new KeyfrontError(sentence, facts);
}

/** Services of this kind put the sentences of a failed validation into `data`, or in place of the message. */
function listSentences(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function readReason(wwwAuthenticate: string | null): string | null {
  const [, quoted] = /error_description="((?:[^"\\]|\\.)*)"/.exec(wwwAuthenticate ?? '') ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? null;
}
