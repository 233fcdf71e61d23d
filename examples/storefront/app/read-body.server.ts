import { data } from 'react-router';

/** The longest form is the registration, with two texts of 2,000 characters. */
const maxFormBytes = 50_000;

/** A browser listens for the answer when it has sent everything. So what is too long is still read, up to here, and thrown away. */
const maxDiscardedBytes = 10_000_000;

/** Reads a body that may have this length: whoever sends it does not decide how much memory it takes. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader && length <= maxDiscardedBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length <= maxBytes) chunks.push(value);
  }
  if (length > maxBytes) throw data(null, { status: 413 });
  return Buffer.concat(chunks);
}

/** Reads a form of the shop. */
export async function readForm(request: Request): Promise<FormData> {
  const body = await readBody(request, maxFormBytes);
  const contentType = request.headers.get('content-type') ?? '';
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw data(null, { status: 400 });
  }
}
