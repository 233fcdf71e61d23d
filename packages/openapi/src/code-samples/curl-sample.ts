import { type SampleOperation, samplePath, sampleQuery } from './sample-operation.ts';
import { jsonForShell, singleQuoted } from './shell-quoting.ts';

/**
 * A complete call with curl, for Bash. The secret, the signature and the token never stand on a command line, where other
 * users of the machine could read them.
 */
export function curlSample(operation: SampleOperation): string {
  const { access } = operation;
  if (access === 'credential') return signedRequest(operation);
  const lines = bodyVariable(operation);
  if (access === 'public') return [...lines, curl(operation, [])].join('\n');
  return [
    ...(access === 'administrator' ? ['# KEYFRONT_TOKEN holds the JWT of an administrator.'] : []),
    ...lines,
    ...idempotencyKeyVariable(operation),
    curl(operation, [`--header @<(printf 'authorization: Bearer %s\\n' "$KEYFRONT_TOKEN")`]),
  ].join('\n');
}

function signedRequest(operation: SampleOperation): string {
  const payload = payloadVariable(operation);
  return [
    ...(payload.name === 'body' ? [] : bodyVariable(operation)),
    `${payload.name}=${singleQuoted(payload.text)}`,
    `signature=$(printf '%s' "$${payload.name}" |`,
    '  openssl dgst -sha256 -sign <(',
    `    printf '%s' "$KEYFRONT_SECRET_KEY" | openssl base64 -d -A`,
    '  ) | openssl base64 -A)',
    ...idempotencyKeyVariable(operation),
    curl(operation, [
      '--header "x-auth-apikey: $KEYFRONT_API_KEY"',
      `--header @<(printf 'x-auth-signature: %s\\n' "$signature")`,
    ]),
  ].join('\n');
}

/** What is signed: the body of a request that changes something, the query of any other, `{}` where there is neither. */
function payloadVariable(operation: SampleOperation): { name: string; text: string } {
  const { method, body } = operation;
  if (method !== 'GET' && method !== 'DELETE' && body !== undefined) {
    return { name: 'body', text: jsonForShell(body) };
  }
  const query = method === 'GET' || method === 'DELETE' ? sampleQuery(operation) : '';
  return query === '' ? { name: 'payload', text: '{}' } : { name: 'query', text: query };
}

function bodyVariable({ body }: SampleOperation): string[] {
  return body === undefined ? [] : [`body=${singleQuoted(jsonForShell(body))}`];
}

/** A key of its own for each request. To send the same request again, the caller repeats only the curl command. */
function idempotencyKeyVariable({ takesIdempotencyKey }: SampleOperation): string[] {
  return takesIdempotencyKey ? ['idempotency_key=$(openssl rand -hex 16)'] : [];
}

function curl(operation: SampleOperation, headers: readonly string[]): string {
  const { method, access, baseUrl, body, file, takesIdempotencyKey } = operation;
  const query = sampleQuery(operation);
  // What is sent must be what was signed, so both are the same variable.
  const isSigned = access === 'credential' && (method === 'GET' || method === 'DELETE');
  const search = query === '' ? '' : `?${isSigned ? '$query' : query}`;
  const address = doubleQuoted(`${baseUrl}${samplePath(operation)}`).replace(/"$/, `${search}"`);
  const start = method === 'GET' ? 'curl' : `curl --request ${method}`;
  const isShort = headers.length === 0 && body === undefined;
  return [
    ...(isShort ? [`${start} ${address}`] : [start, address]),
    ...headers,
    ...(takesIdempotencyKey ? ['--header "idempotency-key: $idempotency_key"'] : []),
    ...(body === undefined ? [] : [`--header 'content-type: application/json'`, '--data-raw "$body"']),
    ...(file === undefined ? [] : [`--header 'content-type: image/png'`, `--data-binary @${file}`]),
  ].join(' \\\n  ');
}

function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/["`\\$]/g, '\\$&')}"`;
}
