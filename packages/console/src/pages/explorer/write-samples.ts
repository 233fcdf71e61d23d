import type { BuiltRequest } from './build-request.ts';

/** The same request for other programs. Credentials are left to their environment. */
export function writeSamples(request: BuiltRequest, baseUrl: string): Record<'curl' | 'SDK' | 'CLI', string> {
  return { curl: writeCurl(request, baseUrl), SDK: writeSdk(request), CLI: writeCli(request) };
}

function writeCurl({ method, path, query, body }: BuiltRequest, baseUrl: string): string {
  const search = new URLSearchParams(query).toString();
  const url = `${baseUrl}${path}${search ? `?${search}` : ''}`;
  return [
    `curl --request ${method} ${quote(url)}`,
    `--header "authorization: Bearer $KEYFRONT_TOKEN"`,
    ...(body ? [`--header 'content-type: application/json'`, `--data ${quote(JSON.stringify(body))}`] : []),
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
