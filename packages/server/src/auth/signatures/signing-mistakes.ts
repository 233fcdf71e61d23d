import { createHash } from 'node:crypto';
import { type RequestToSign, signedPayload, signingMistakes, signsBody } from '@keyfront/protocol';

interface SigningMistake {
  readonly payload: string | Uint8Array;
  readonly hint: string;
}

/** Payloads that callers sign by mistake, with a hint for each. None of them is ever accepted for this request. */
export function listSigningMistakes(request: RequestToSign): SigningMistake[] {
  const correct = Buffer.from(signedPayload(request));
  const digest = createHash('sha256').update(correct).digest();
  return [
    { payload: '', hint: signingMistakes.emptyText },
    ...(signsBody(request.method) ? mistakesWithBody(request) : mistakesWithQuery(request)),
    {
      payload: Buffer.concat([correct, Buffer.from('\n')]),
      hint: signingMistakes.lineBreak,
    },
    { payload: digest, hint: signingMistakes.hash },
    { payload: digest.toString('hex'), hint: signingMistakes.hexHash },
  ];
}

function mistakesWithBody({ query, body }: RequestToSign): SigningMistake[] {
  const mistakes: SigningMistake[] = [];
  if (body?.length)
    mistakes.push({
      payload: '{}',
      hint: signingMistakes.emptyObjectForBody,
    });
  if (query)
    mistakes.push({
      payload: query,
      hint: signingMistakes.queryForBody,
    });
  return mistakes;
}

function mistakesWithQuery({ query }: RequestToSign): SigningMistake[] {
  if (!query) return [];
  return [
    { payload: '{}', hint: signingMistakes.emptyObjectForQuery },
    { payload: `?${query}`, hint: signingMistakes.questionMark },
  ];
}
