import { Menu, UnstyledButton } from '@mantine/core';
import { StatusBadge } from '../../../components/status-badge.tsx';

interface StateMenuProps<State extends string> {
  /** Stands above the states that may follow. */
  readonly title: string;
  /** The state in words. */
  readonly label: string;
  readonly names: Readonly<Record<State, string>>;
  readonly state: State;
  /** The states that may follow. */
  readonly moves: readonly State[];
  readonly onMove: (state: State) => void;
}

/** A state, and the states that it may become. */
export function StateMenu<State extends string>({
  title,
  label,
  names,
  state,
  moves,
  onMove,
}: StateMenuProps<State>) {
  if (moves.length === 0) return <StatusBadge state={state} label={label} />;
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton>
          <StatusBadge state={state} label={`${label} ▾`} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        {moves.map((move) => (
          <Menu.Item key={move} onClick={() => onMove(move)}>
            {names[move]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
