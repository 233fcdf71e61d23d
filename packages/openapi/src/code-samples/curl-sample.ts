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
  const address = doubleQuoted(addressOf(operation));
  if (access === 'public') return [...lines, curl(operation, address, [])].join('\n');
  return [
    ...(access === 'administrator' ? ['# KEYFRONT_TOKEN holds the JWT of an administrator.'] : []),
    ...lines,
    ...idempotencyKeyVariable(operation),
    curl(operation, address, [`--header @<(printf 'authorization: Bearer %s\\n' "$KEYFRONT_TOKEN")`]),
  ].join('\n');
}

/** Signs in the bound form (RFC 9421). openssl writes r and s as DER, and the header has their bytes. */
function signedRequest(operation: SampleOperation): string {
  const { method, body } = operation;
  const hasBody = body !== undefined;
  const components = ['@method', '@target-uri', ...(hasBody ? ['content-digest'] : [])];
  const covered = components.map((name) => `\\"${name}\\"`).join(' ');
  const nonce = method === 'GET' ? '' : ';nonce=\\"$(openssl rand -hex 16)\\"';
  const base = [...components, '@signature-params'].map((name) => `"${name}": %s`).join('\\n');
  return [
    `url=${doubleQuoted(addressOf(operation))}`,
    ...bodyVariable(operation),
    ...(hasBody
      ? [`digest="sha-256=:$(printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"`]
      : []),
    ...idempotencyKeyVariable(operation),
    `key_id=$(printf '%s' "$KEYFRONT_API_KEY" | openssl base64 -d -A |`,
    '  openssl pkey -pubin -outform DER | openssl dgst -sha256 -r | cut -c 1-64)',
    `params="(${covered});created=$(date +%s);keyid=\\"$key_id\\"${nonce}"`,
    `signature=$(printf '${base}' \\`,
    `  ${method} "$url"${hasBody ? ' "$digest"' : ''} "$params" |`,
    `  openssl dgst -sha256 -sign <(printf '%s' "$KEYFRONT_SECRET_KEY" | openssl base64 -d -A) |`,
    `  openssl asn1parse -inform DER | sed -n 's/.*INTEGER *://p' |`,
    `  while read -r number; do printf '%64s' "$number"; done | tr ' ' 0 | sed 's/../\\\\x&/g')`,
    curl(operation, '"$url"', [
      '--header "signature-input: sig1=$params"',
      `--header @<(printf 'signature: sig1=:%s:\\n' "$(printf "$signature" | openssl base64 -A)")`,
      ...(hasBody ? ['--header "content-digest: $digest"'] : []),
    ]),
  ].join('\n');
}

function addressOf(operation: SampleOperation): string {
  const query = sampleQuery(operation);
  return `${operation.baseUrl}${samplePath(operation)}${query && `?${query}`}`;
}

function bodyVariable({ body }: SampleOperation): string[] {
  return body === undefined ? [] : [`body=${singleQuoted(jsonForShell(body))}`];
}

/** A key of its own for each request. To send the same request again, the caller keeps the key and signs again. */
function idempotencyKeyVariable({ takesIdempotencyKey }: SampleOperation): string[] {
  return takesIdempotencyKey ? ['idempotency_key=$(openssl rand -hex 16)'] : [];
}

function curl(operation: SampleOperation, address: string, headers: readonly string[]): string {
  const { method, body, file, takesIdempotencyKey, isStream } = operation;
  const command = isStream ? 'curl --no-buffer' : 'curl';
  const start = method === 'GET' ? command : `${command} --request ${method}`;
  return [
    `${start} ${address}`,
    ...headers,
    ...(takesIdempotencyKey ? ['--header "idempotency-key: $idempotency_key"'] : []),
    ...(body === undefined ? [] : [`--header 'content-type: application/json'`, '--data-raw "$body"']),
    ...(file === undefined ? [] : [`--header 'content-type: image/png'`, `--data-binary @${file}`]),
  ].join(' \\\n  ');
}

function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/["`\\$]/g, '\\$&')}"`;
}
