import type { Style } from './style.ts';

/** JSON for people: indented, and coloured where the style has colours. */
export function prettyJson(value: unknown, style: Style): string {
  // The text of JSON is taken apart again, so that each token is there exactly as JSON writes it.
  const tokens = /("(?:[^"\\]|\\.)*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return escapeControls(text).replaceAll(tokens, (token, quoted?: string, colon?: string) => {
    if (colon) return `${style.cyan(quoted ?? '')}:`;
    return quoted ? style.green(token) : style.yellow(token);
  });
}

/** JSON for programs, on one line. */
export function compactJson(value: unknown): string {
  return escapeControls(JSON.stringify(value) ?? 'null');
}

/** JSON leaves these characters as they are, and a terminal may obey them. */
function escapeControls(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
