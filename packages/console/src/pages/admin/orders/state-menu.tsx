import { Menu, UnstyledButton } from '@mantine/core';
import { StatusBadge, stateLabel } from '../../../components/status-badge.tsx';

interface StateMenuProps<State extends string> {
  /** Such as `Payment`. */
  readonly label: string;
  readonly state: State;
  /** The states that may follow. */
  readonly moves: readonly State[];
  readonly onMove: (state: State) => void;
}

/** A state, and the states that it may become. */
export function StateMenu<State extends string>({ label, state, moves, onMove }: StateMenuProps<State>) {
  const text = `${label} ${stateLabel(state).toLowerCase()}`;
  if (moves.length === 0) return <StatusBadge state={state} label={text} />;
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton>
          <StatusBadge state={state} label={`${text} ▾`} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Change to</Menu.Label>
        {moves.map((move) => (
          <Menu.Item key={move} onClick={() => onMove(move)}>
            {stateLabel(move)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
