import { useHotkeys } from '@mantine/hooks';

interface QueueKeys {
  readonly count: number;
  readonly position: number;
  readonly onMove: (position: number) => void;
  readonly onToggle: () => void;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

/** `j` and `k` move, `x` marks, `a` approves and `r` rejects. Fields keep their keys. */
export function useQueueKeys({ count, position, onMove, onToggle, onApprove, onReject }: QueueKeys): void {
  useHotkeys([
    ['j', () => onMove(Math.min(position + 1, count - 1))],
    ['k', () => onMove(Math.max(position - 1, 0))],
    ['x', onToggle],
    ['a', onApprove],
    ['r', onReject],
  ]);
}
