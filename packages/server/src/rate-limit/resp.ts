/** An answer of Redis, in the first version of its protocol that every server speaks (RESP2). */
export type Reply = string | number | null | RedisError | readonly Reply[];

/** Redis understood, and refuses. */
export class RedisError extends Error {
  override name = 'RedisError';
}

/** What answers there does not speak Redis' protocol. */
export class NotRedis extends Error {
  override name = 'NotRedis';
}

export function encodeCommand(words: readonly string[]): string {
  let text = `*${words.length}\r\n`;
  for (const word of words) text += `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
  return text;
}

/** All that is asked of Redis has answers of a few bytes. */
const longestReply = 64 * 1024;

/** Puts replies together from the pieces in which they arrive. */
export class ReplyReader {
  #text = '';

  read(piece: Buffer): Reply[] {
    // One character for each byte: lengths are given in bytes.
    this.#text += piece.toString('latin1');
    const replies: Reply[] = [];
    let start = 0;
    for (;;) {
      const parsed = parseReply(this.#text, start);
      if (parsed === null) break;
      replies.push(parsed.reply);
      start = parsed.end;
    }
    this.#text = this.#text.slice(start);
    if (this.#text.length > longestReply) throw new NotRedis('The answer is too long');
    return replies;
  }
}

interface Parsed {
  readonly reply: Reply;
  readonly end: number;
}

/** Null: there is more to come. */
function parseReply(text: string, start: number): Parsed | null {
  if (start >= text.length) return null;
  const kind = text.charAt(start);
  if (!'+-:$*'.includes(kind)) throw new NotRedis('What answers there is no Redis');
  const lineEnd = text.indexOf('\r\n', start);
  if (lineEnd < 0) return null;
  const line = text.slice(start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (kind) {
    case '+':
      return { reply: line, end };
    case '-':
      return { reply: new RedisError(line), end };
    case ':':
      return { reply: toInteger(line), end };
    case '$':
      return parseBulk(text, end, toInteger(line));
    default:
      return parseArray(text, end, toInteger(line));
  }
}

function parseBulk(text: string, start: number, length: number): Parsed | null {
  if (length < 0) return { reply: null, end: start };
  const end = start + length;
  return text.length < end + 2 ? null : { reply: text.slice(start, end), end: end + 2 };
}

function parseArray(text: string, start: number, length: number): Parsed | null {
  if (length < 0) return { reply: null, end: start };
  const replies: Reply[] = [];
  let end = start;
  while (replies.length < length) {
    const parsed = parseReply(text, end);
    if (parsed === null) return null;
    replies.push(parsed.reply);
    end = parsed.end;
  }
  return { reply: replies, end };
}

function toInteger(line: string): number {
  if (!/^-?\d{1,15}$/.test(line)) throw new NotRedis('What answers there is no Redis');
  return Number(line);
}
