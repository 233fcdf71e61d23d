import type { BuiltRequest } from './build-request.ts';
import { type ExplorerOperation, takesFile } from './read-openapi.ts';

/** The same request for other programs, by the name of the program. Credentials are left to their environment. */
export function writeSamples(
  operation: ExplorerOperation,
  request: BuiltRequest,
  baseUrl: string,
): Readonly<Record<string, string>> {
  const curl = writeCurl(operation, request, baseUrl);
  // The SDK and the command line sign for holders, and not for providers.
  if (operation.access === 'provider' || takesFile(operation)) return { curl };
  return { curl, SDK: writeSdk(request), CLI: writeCli(request) };
}

function writeCurl(
  operation: ExplorerOperation,
  { method, path, query, body }: BuiltRequest,
  baseUrl: string,
): string {
  const { access, contentType, takesIdempotencyKey } = operation;
  const search = new URLSearchParams(query).toString();
  const url = `${baseUrl}${path}${search ? `?${search}` : ''}`;
  return [
    `curl --request ${method} ${quote(url)}`,
    // From a file descriptor: arguments are visible in the list of processes.
    ...(access === 'credential'
      ? [`--header @<(printf 'authorization: Bearer %s\\n' "$KEYFRONT_TOKEN")`]
      : []),
    ...(access === 'provider'
      ? ['id', 'timestamp', 'signature'].map(
          (name) => `--header "webhook-${name}: $WEBHOOK_${name.toUpperCase()}"`,
        )
      : []),
    ...(takesIdempotencyKey ? [`--header "idempotency-key: $(uuidgen)"`] : []),
    ...(body ? [`--header 'content-type: application/json'`, `--data ${quote(JSON.stringify(body))}`] : []),
    ...(takesFile(operation) ? [`--header 'content-type: ${contentType}'`, '--data-binary @image.png'] : []),
  ].join(' \\\n  ');
}

function writeSdk({ method, path, query, body }: BuiltRequest): string {
  const options = {
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body ? { body } : {}),
  };
  const last = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : '';
  return `const data = await keyfront.request('${method}', ${JSON.stringify(path)}${last});`;
}

function writeCli({ method, path, query, body }: BuiltRequest): string {
  return [
    `keyfront ${method.toLowerCase()} ${quote(path)}`,
    ...Object.entries(query).map(([name, value]) => `--query ${quote(`${name}=${value}`)}`),
    ...(body ? [`--data ${quote(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

/** As one word of a POSIX shell, whatever it contains. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
