import type { Context, Output } from '../context.ts';

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Whether to write colors: on a terminal, unless NO_COLOR is set; elsewhere only if FORCE_COLOR is set. */
export function hasColors(output: Output, env: Context['env']): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return output.isTTY === true && env.TERM !== 'dumb';
}

/** The colors of an output, or functions that leave text as it is. */
export function styleFor(output: Output, env: Context['env']): Style {
  const isColored = hasColors(output, env);
  const paint = (code: number, end: number) => (text: string) =>
    isColored ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    green: paint(32, 39),
    red: paint(31, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** Replaces control characters, which could change what a terminal shows or does. */
export function toPlainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces.
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
