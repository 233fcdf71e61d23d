import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { versionPrefix } from '../../lib/request/version-prefix.ts';
import { signCallback } from '../../pipeline/callbacks/callback-signature.ts';

const timeoutMs = 10_000;

/**
 * Signs a report and sends it to the callback of this service, as an outside provider does. Returns null if it was
 * accepted, otherwise the message of the service.
 */
export async function sendReport(
  socket: Socket,
  path: string,
  secret: Uint8Array,
  report: object,
): Promise<string | null> {
  const body = Buffer.from(JSON.stringify(report));
  const response = await fetch(`${originOf(socket)}${versionPrefix}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signCallback(secret, `msg_${randomUUID()}`, Math.floor(Date.now() / 1000), body),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.ok) return null;
  const { message } = (await response.json()) as { message: string };
  return message;
}

/** Where the visitor has reached this service. */
function originOf({ localAddress = '127.0.0.1', localPort }: Socket): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `http://${host}:${localPort}`;
}
