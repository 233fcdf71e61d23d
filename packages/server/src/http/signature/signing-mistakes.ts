import type { RequestToSign } from '@keyfront/protocol';

interface SigningMistake {
  readonly payload: string;
  readonly hint: string;
}

/** What callers sign in error often enough to be told. None of these payloads is ever accepted for this request. */
export function listSigningMistakes(request: RequestToSign): SigningMistake[] {
  const mistakes = [{ payload: '', hint: 'the empty string was signed instead' }];
  if (request.query) {
    mistakes.push({ payload: '{}', hint: '{} was signed, which is right only without a query' });
    mistakes.push({ payload: `?${request.query}`, hint: 'the query was signed with its question mark' });
  } else if (request.body?.length) {
    mistakes.push({ payload: '{}', hint: '{} was signed, which is right only without a body' });
  }
  return mistakes;
}
