/** Browsers and workers report no error codes, so they do not load the explanations. */
export function explainFailureCode(_code: string): string | null {
  return null;
}
