import { useState } from 'react';
import { findDraft } from '../session/drafts.ts';

type Edited<Row> = Row | 'new' | null;

/**
 * What the form of a list is about: one of its rows, a new one, or nothing. At first it is what has a draft, whose name is the noun
 * and the id of the row.
 */
export function useEdited<Row extends { readonly id: string }>(
  noun: string,
  rows: readonly Row[] | undefined,
): [Edited<Row>, (edited: Edited<Row>) => void] {
  const [drafted] = useState(() => findDraft(`${noun}.`));
  const [chosen, setChosen] = useState<Edited<Row>>();
  if (chosen !== undefined) return [chosen, setChosen];
  return [drafted === 'new' ? 'new' : (rows?.find(({ id }) => id === drafted) ?? null), setChosen];
}
