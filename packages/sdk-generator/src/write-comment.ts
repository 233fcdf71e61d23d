import { lineWidth } from './line-width.ts';

/**
 * Writes a TSDoc comment, on one line if it fits. Paragraphs are wrapped and separated by an empty line; tags such as
 * `@example` are neither.
 */
export function writeComment(paragraphs: readonly string[], indent = ''): string {
  const texts = paragraphs.filter((text) => text !== '').map((text) => text.replaceAll('*/', '*\\/'));
  const [first] = texts;
  if (first === undefined) return '';
  const oneLine = `${indent}/** ${first} */`;
  if (texts.length === 1 && oneLine.length <= lineWidth) return `${oneLine}\n`;
  const lines = texts.flatMap((text, at) => [
    ...(at === 0 || (isTag(text) && isTag(texts[at - 1])) ? [] : ['']),
    ...(isTag(text) ? [text] : wrap(text, lineWidth - indent.length - ' * '.length)),
  ]);
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Ends a text so that another sentence can follow. */
export function endSentence(text: string): string {
  return text === '' || /[.:!?]$/.test(text) ? text : `${text}.`;
}

function isTag(text: string | undefined): boolean {
  return text?.startsWith('@') ?? false;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
