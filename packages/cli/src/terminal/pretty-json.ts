import type { Style } from './style.ts';

/** Indented JSON, colored if the style has colors. */
export function prettyJson(value: unknown, style: Style): string {
  // Colors the finished JSON text, so that every token stays exactly as JSON.stringify writes it.
  const tokens = /("(?:[^"\\]|\\.)*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return escapeControls(text).replaceAll(tokens, (token, quoted?: string, colon?: string) => {
    if (colon) return `${style.cyan(quoted ?? '')}:`;
    return quoted ? style.green(token) : style.yellow(token);
  });
}

/** JSON on one line. */
export function compactJson(value: unknown): string {
  return escapeControls(JSON.stringify(value) ?? 'null');
}

/** JSON.stringify does not escape DEL and the C1 control characters, which terminals may interpret. */
function escapeControls(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
