import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icon.tsx';

interface CopyTextButtonProps {
  readonly value: string;
  readonly label: string;
}

/** Copies a text, and says so. */
export function CopyTextButton({ value, label }: CopyTextButtonProps) {
  const { copied, copy } = useClipboard();
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
      onClick={() => copy(value)}
    >
      {copied ? 'Copied' : label}
    </Button>
  );
}
