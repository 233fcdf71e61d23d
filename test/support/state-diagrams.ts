/** The transitions of a state machine: for each actor and state, the states that may follow. */
export type TransitionTable = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The arrows of the diagram of a state machine: each transition that any actor may make, sorted. */
export function listMoves(table: TransitionTable): string[] {
  const moves = Object.values(table).flatMap((transitions) =>
    Object.entries(transitions).flatMap(([from, following]) => following.map((to) => `${from} --> ${to}`)),
  );
  return [...new Set(['[*] --> PENDING', ...moves])].sort();
}
