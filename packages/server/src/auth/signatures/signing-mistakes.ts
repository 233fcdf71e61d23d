import { createHash } from 'node:crypto';
import { type RequestToSign, signedPayload, signsBody } from '@keyfront/protocol';

interface SigningMistake {
  readonly payload: string | Uint8Array;
  readonly hint: string;
}

/** Payloads that callers sign by mistake, with a hint for each. None of them is ever accepted for this request. */
export function listSigningMistakes(request: RequestToSign): SigningMistake[] {
  const correct = Buffer.from(signedPayload(request));
  const digest = createHash('sha256').update(correct).digest();
  return [
    { payload: '', hint: 'the empty string was signed instead' },
    ...(signsBody(request.method) ? mistakesWithBody(request) : mistakesWithQuery(request)),
    {
      payload: Buffer.concat([correct, Buffer.from('\n')]),
      hint: 'it was signed with a trailing line break',
    },
    { payload: digest, hint: 'its SHA-256 was signed, so it was hashed twice' },
    { payload: digest.toString('hex'), hint: 'its SHA-256 in hex was signed, so it was hashed twice' },
  ];
}

function mistakesWithBody({ query, body }: RequestToSign): SigningMistake[] {
  const mistakes: SigningMistake[] = [];
  if (body?.length)
    mistakes.push({
      payload: '{}',
      hint: '{} was signed, which is correct only for a request without a body',
    });
  if (query)
    mistakes.push({
      payload: query,
      hint: 'the query was signed, but for this method the body must be signed',
    });
  return mistakes;
}

function mistakesWithQuery({ query }: RequestToSign): SigningMistake[] {
  if (!query) return [];
  return [
    { payload: '{}', hint: '{} was signed, which is correct only for a request without a query' },
    { payload: `?${query}`, hint: 'the query was signed with its question mark' },
  ];
}
