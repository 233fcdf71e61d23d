import { Popover } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';

interface FilterPopoverProps {
  readonly target: ReactElement;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What a filter is set with, below its button. */
export function FilterPopover({ target, isOpen, onClose, children }: FilterPopoverProps) {
  return (
    <Popover
      opened={isOpen}
      onDismiss={onClose}
      onClose={onClose}
      position="bottom-start"
      shadow="md"
      width={260}
      trapFocus
      returnFocus
      // After its button in the page, so that Tab and screen readers find it there.
      withinPortal={false}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown p={8}>{children}</Popover.Dropdown>
    </Popover>
  );
}

/** Takes the focus when it appears. */
export function Focused({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>('input, button:enabled')?.focus(), []);
  return <div ref={ref}>{children}</div>;
}
