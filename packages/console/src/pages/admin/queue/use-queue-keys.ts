import { useHotkeys } from '@mantine/hooks';
import { isOverlayOpen } from '../../../components/is-overlay-open.ts';

interface QueueKeys {
  readonly onMove: (step: -1 | 1) => void;
  readonly onToggle: () => void;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

/** `j` and `k` move, `x` marks, `a` approves and `r` rejects. Fields, menus and dialogs keep their keys. */
export function useQueueKeys({ onMove, onToggle, onApprove, onReject }: QueueKeys): void {
  const actions: Readonly<Record<string, () => void>> = {
    j: () => onMove(1),
    k: () => onMove(-1),
    x: onToggle,
    a: onApprove,
    r: onReject,
  };
  useHotkeys(
    Object.entries(actions).map(([key, act]) => [
      key,
      (event) => {
        if (isTyping() || isOverlayOpen()) return;
        // Otherwise `r` would be the first letter of the note that it asks for.
        event.preventDefault();
        act();
      },
      { preventDefault: false },
    ]),
    [],
  );
}

/** A checkbox has the focus after a click, and takes no letters. */
function isTyping(): boolean {
  const element = document.activeElement;
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && element.type !== 'checkbox')
  );
}
