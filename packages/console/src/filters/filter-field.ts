import type { ReactNode } from 'react';

/** Changes filters by their names in the URL. Null removes one. `typedFilter` is the field that it was typed into. */
export type ChangeFilters = (changed: Readonly<Record<string, string | null>>, typedFilter?: string) => void;

/** One thing that a list can be filtered by. */
export interface FilterField {
  readonly label: string;
  /** Its names in the URL. */
  readonly names: readonly string[];
  /** What it is set to, in words. Undefined if it is not set. */
  readonly summary: string | undefined;
  /** Why it cannot be set now. */
  readonly obstacle?: string | undefined;
  /** What it is set with. */
  readonly render: (close: () => void) => ReactNode;
}
