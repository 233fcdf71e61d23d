import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts/components.ts';
import { Icon } from './icon.tsx';
import { SmallButton } from './small-button.tsx';

interface CopyTextButtonProps {
  readonly value: string;
  readonly label: string;
}

/** Copies a text, and says so. */
export function CopyTextButton({ value, label }: CopyTextButtonProps) {
  const { copied, copy } = useClipboard();
  return (
    <SmallButton onClick={() => copy(value)}>
      <Icon name={copied ? 'check' : 'copy'} size={14} />
      {copied ? texts.copied : label}
    </SmallButton>
  );
}
