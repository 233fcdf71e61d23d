import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageNotLoaded } from '../components/page-not-loaded.ts';
import { texts } from '../texts/layout.ts';

/** Takes the place of a page that has failed, such as one whose script could not be loaded. */
export function PageFailure({ error }: ErrorComponentProps) {
  const [hasTriedInVain, setHasTriedInVain] = useState(false);
  const retry = async () => {
    // The browser's own page for a host that does not answer would replace the console, so the service is asked first. A document
    // that is loaded again imports everything again. Browsers remember an import that has failed.
    if (await doesServiceAnswer()) window.location.reload();
    else setHasTriedInVain(true);
  };
  const what = error instanceof PageNotLoaded ? 'loaded' : 'shown';
  return (
    <ErrorNotice
      title={texts.thisPageCouldNotBeWhat(hasTriedInVain ? 'still ' : '', what)}
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => void retry()}
    />
  );
}

async function doesServiceAnswer(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
