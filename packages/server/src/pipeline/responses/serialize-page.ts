import { setImmediate as nextTurn } from 'node:timers/promises';

/** Takes a few milliseconds for the largest items that a request can store. */
const itemsPerSlice = 50;

/**
 * Serializes the page of a list, a slice of its items at a time. Other requests are served between two slices: a page of a
 * thousand large items takes 100 ms and more. The result is the same as that of `serialize` for the whole page.
 */
export async function serializePage(
  page: object,
  serialize: (page: object) => string,
): Promise<string | Buffer> {
  const [name, items] = findLongList(page);
  if (items.length <= itemsPerSlice) return serialize(page);
  const empty = `"${name}":[]`;
  const frame = serialize({ ...page, [name]: [] }).split(empty);
  const [head, tail] = frame;
  // The name occurs a second time, so it does not tell where the items are.
  if (head === undefined || tail === undefined || frame.length > 2) return serialize(page);
  const beginLength = head.length + empty.length - 1;
  const parts = [Buffer.from(`${head}"${name}":[`)];
  for (let start = 0; start < items.length; start += itemsPerSlice) {
    if (start > 0) await nextTurn();
    const text = serialize({ ...page, [name]: items.slice(start, start + itemsPerSlice) });
    const slice = text.slice(beginLength, text.length - tail.length - 1);
    // As bytes, because a large string of other characters than ASCII is expensive to keep and to send.
    parts.push(Buffer.from(start > 0 ? `,${slice}` : slice));
  }
  parts.push(Buffer.from(`]${tail}`));
  await nextTurn();
  return Buffer.concat(parts);
}

function findLongList(page: object): readonly [string, readonly unknown[]] {
  let longest: readonly [string, readonly unknown[]] = ['', []];
  for (const [name, value] of Object.entries(page)) {
    if (Array.isArray(value) && value.length > longest[1].length) longest = [name, value];
  }
  return longest;
}
