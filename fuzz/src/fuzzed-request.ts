/** A request as it is sent. Text is Latin-1: one character for each byte. */
export interface FuzzedRequest {
  /** What the request was made from. */
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

/** The bytes of a request. */
export function formatRequest({ method, target, version, headers, body }: FuzzedRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1');
  return body ? Buffer.concat([head, body]) : head;
}

/** A shell command that sends the same bytes again. */
export function formatCommand(
  request: FuzzedRequest,
  { host, port }: { host: string; port: number },
): string {
  const bytes = formatRequest(request).toString('base64');
  return `printf %s '${bytes}' | base64 --decode | nc -w 10 ${host} ${port}`;
}
