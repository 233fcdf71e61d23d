/** One thing that the search finds. */
export interface SearchEntry {
  /** From the root of the service. */
  readonly href: string;
  readonly title: string;
  readonly detail: string;
  readonly text: string;
  /** Whether it is the row of a table that explains a code. */
  readonly isCode?: true;
}

/** Everything that can be found. The site replaces this file by one with its own entries. */
export const entries: readonly SearchEntry[] = [];
