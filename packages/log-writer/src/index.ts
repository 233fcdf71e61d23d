export type { LineWriter } from './line-writer.ts';
export { openLogOutput, openStdout } from './standard-output.ts';
