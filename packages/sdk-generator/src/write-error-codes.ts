/** Writes `error-codes.ts`: the union of all error codes. */
export function writeErrorCodes(codes: readonly string[]): string {
  return `/** Every error code that this version of the SDK knows. A newer service may have more. */
export type ErrorCode =${codes.map((code) => `\n  | '${code}'`).join('')};
`;
}
