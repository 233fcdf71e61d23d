import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';

/** For an address that no page has. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon="search"
        title="There is nothing at this address"
        action={
          <Link to="/" className="link">
            Go to the overview
          </Link>
        }
      >
        The link may be old, or a part of it may be missing.
      </EmptyState>
    </>
  );
}
