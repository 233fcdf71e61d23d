import type { SearchEntry } from './search-index.ts';

/** The words of a query, in lower case. */
export function splitWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The entries that contain every word of the query, the best match first. */
export function rankEntries(
  entries: readonly SearchEntry[],
  query: string,
  most: number,
): readonly SearchEntry[] {
  const words = splitWords(query);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}

const weights = { exact: 40, titleStart: 12, titleWord: 8, title: 5, detail: 4, code: 2, text: 1 };

/** Zero where a word is found nowhere. */
function scoreEntry({ title, detail, text, isCode }: SearchEntry, words: readonly string[]): number {
  const query = words.join(' ');
  let total = [query, `${query}s`].includes(title.toLowerCase()) ? weights.exact : 0;
  for (const word of words) {
    const score =
      scoreTitle(title.toLowerCase(), word, isCode) ||
      (detail.toLowerCase().includes(word) && weights.detail) ||
      (text.toLowerCase().includes(word) && weights.text);
    if (!score) return 0;
    total += score;
  }
  return total;
}

/** A code comes after operations and guides, unless the query is written like a code. */
function scoreTitle(title: string, word: string, isCode = false): number {
  const at = title.indexOf(word);
  if (isCode && at >= 0 && !word.includes('_')) return weights.code;
  if (at === 0) return weights.titleStart;
  if (at < 0) return 0;
  return /[\s_]/.test(title.charAt(at - 1)) ? weights.titleWord : weights.title;
}
