import { extname } from 'node:path';
import { usageError } from '../cli-error.ts';

export const exportFormats = ['csv', 'json', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface FormatChoice {
  readonly format: ExportFormat;
  /** Set if the file name has the extension of another format. */
  readonly conflict?: string;
}

/** Selects the format of an export. An explicit format wins over the extension of the file name. */
export function chooseFormat(explicit: ExportFormat | undefined, output: string): FormatChoice {
  const inferred = inferFormat(output);
  if (explicit === undefined) {
    if (inferred !== null) return { format: inferred };
    throw usageError(
      output === '-'
        ? `Select a format for standard output with --format ${exportFormats.join('|')}`
        : `Cannot infer the format from "${output}". Use the extension .csv, .json or .xlsx, or add --format.`,
    );
  }
  if (inferred === null || inferred === explicit) return { format: explicit };
  return {
    format: explicit,
    conflict: `${output} will contain ${explicit.toUpperCase()} despite its extension, because of --format ${explicit}`,
  };
}

function inferFormat(output: string): ExportFormat | null {
  const extension = extname(output).slice(1).toLowerCase();
  return exportFormats.find((format) => format === extension) ?? null;
}
