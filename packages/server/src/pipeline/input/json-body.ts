import { findUnstorableText } from '@keyfront/validation';
import { validationFailed } from '../../lib/errors/api-error.ts';
import { rememberJson } from '../../lib/json-text.ts';

const maxDepth = 32;
/** Far more than any operation has. Objects with thousands of names take each later step many times as long as their bytes suggest. */
const maxNames = 2_000;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON body. Refuses what two parsers could read differently or what PostgreSQL cannot store: duplicate names,
 * `__proto__`, invalid UTF-8, NUL, lone surrogates and deep nesting.
 */
export function parseJsonBody(raw: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(raw);
  } catch {
    throw validationFailed(['body must be UTF-8']);
  }
  if (hasTooManyNames(text)) throw validationFailed([`body must not contain more than ${maxNames} names`]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw validationFailed(['body must be valid JSON']);
  }
  const ambiguity = findAmbiguity(text, (name, start, end) => {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof field === 'object' && field !== null) rememberJson(field, text.slice(start, end));
  });
  if (ambiguity) throw validationFailed([ambiguity]);
  // In valid JSON and UTF-8, both are possible only as an escape.
  const issues = text.includes('\\u') ? findUnstorableText(value) : [];
  if (issues.length > 0) throw validationFailed(issues);
  return value;
}

/** Looks at the text, because parsing it would be the first of these steps. */
function hasTooManyNames(text: string): boolean {
  // Each name has two quotes, a colon and a separator.
  if (text.length < 4 * maxNames) return false;
  let names = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    const end = endOfString(text, at);
    if (isFollowedByColon(text, end) && ++names > maxNames) return true;
    at = text.indexOf('"', end);
  }
  return false;
}

/** Called for each field of the body itself, with the place of its value in the text. */
type VisitField = (name: string, start: number, end: number) => void;

/** Walks text that is valid JSON. Returns the first issue, or null. */
function findAmbiguity(text: string, visitField: VisitField): string | null {
  // The names seen so far in the open object of each level. Reused, because a body may contain hundreds of thousands of
  // objects.
  const namesByLevel: Set<string>[] = [];
  const isObjectByLevel: boolean[] = [];
  let level = -1;
  let field: { name: string; start: number } | null = null;
  const endField = (end: number) => {
    if (field && level === 0) visitField(field.name, field.start, end);
    if (level === 0) field = null;
  };
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
      case 0x5b: // [
        if (++level === maxDepth) return `body must not be nested deeper than ${maxDepth} levels`;
        isObjectByLevel[level] = text.charCodeAt(at) === 0x7b;
        namesByLevel[level]?.clear();
        break;
      case 0x2c: // ,
        endField(at);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        endField(at);
        level--;
        break;
      case 0x22: {
        const end = endOfString(text, at);
        if (isObjectByLevel[level] && isFollowedByColon(text, end)) {
          const name = readName(text, at, end);
          if (name === '__proto__') return 'body must not contain the name __proto__';
          namesByLevel[level] ??= new Set();
          const names = namesByLevel[level];
          if (names?.has(name)) return `body must not contain the name ${JSON.stringify(name)} twice`;
          names?.add(name);
          if (level === 0) field = { name, start: text.indexOf(':', end) + 1 };
        }
        at = end - 1;
        break;
      }
    }
  }
  return null;
}

/** Only a name with an escape must be parsed. */
function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes('\\') ? JSON.parse(text.slice(start, end)) : name;
}

/** The index after the closing quote of the string that opens at `start`. The text may not be JSON, and end before. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}

/** Only a name is followed by a colon; a string value is followed by a comma or a bracket. */
function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === 0x3a;
}
