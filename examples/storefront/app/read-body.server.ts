import { data } from 'react-router';

/** The longest form is the registration, with two texts of 2,000 characters. */
const maxFormBytes = 50_000;

/** Reads a body, and stops where it is longer than allowed: whoever sends it does not decide how much memory that takes. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    // Not cancelled: that would end the connection before the answer is there.
    if (length > maxBytes) throw data(null, { status: 413 });
    chunks.push(value);
  }
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
