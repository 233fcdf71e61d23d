import { texts } from '../texts/components.ts';
import { ErrorText } from './error-text.tsx';
import { Notice } from './notice.tsx';
import { SmallButton } from './small-button.tsx';

interface ErrorNoticeProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Takes the place of what could not be loaded or done. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  return (
    <Notice icon="alert" tone="bad" title={title}>
      <ErrorText error={error} />
      {onRetry && <SmallButton onClick={onRetry}>{texts.tryAgain}</SmallButton>}
    </Notice>
  );
}
