import { Alert, Button, Stack } from '@mantine/core';
import { ErrorText } from './error-text.tsx';
import { Icon } from './icon.tsx';

interface ErrorNoticeProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Takes the place of what could not be loaded or done. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  return (
    <Alert variant="default" color="red.8" title={title} icon={<Icon name="alert" />}>
      <Stack gap="sm" align="flex-start">
        <ErrorText error={error} />
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
