import type { Cli, Output } from '../cli.ts';

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Colours for a terminal, and plain text for all else and where NO_COLOR asks for it. */
export function styleFor(output: Output, env: Cli['env']): Style {
  const isColoured = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (code: number, end: number) => (text: string) =>
    isColoured ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    green: paint(32, 39),
    red: paint(31, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** What comes from elsewhere, without the characters that a terminal would obey. */
export function toPlainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out.
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
