import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from '../components/error-notice.tsx';

/** Takes the place of a page that has failed, such as one whose script could not be loaded. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <ErrorNotice
      title="This page could not be shown"
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => window.location.reload()}
    />
  );
}
