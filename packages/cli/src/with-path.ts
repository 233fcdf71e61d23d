/**
 * Runs work on a file. If a system call fails, its error gets the path as the user gave it: Node leaves the path out of some
 * errors, and others have the path of a temporary file.
 */
export async function withPath<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error;
  }
}
