import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { texts } from '../texts/layout.ts';

/** For an address that no page has. */
export function NotFound() {
  return (
    <>
      <PageHeader title={texts.pageNotFound} />
      <EmptyState
        icon="search"
        title={texts.thereIsNothingAtThisAddress}
        action={
          <Link to="/" className="link">
            {texts.goToOverview}
          </Link>
        }
      >
        {texts.linkMayBeOldOrPart}
      </EmptyState>
    </>
  );
}
