import { KeyfrontError, NotFoundError, ValidationError } from '@keyfront/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getKeyfront } from '../session/keyfront.ts';
import { useSwitchKey } from '../session/primary-key.ts';
import { texts } from '../texts/components.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { PageHeader } from './page-header.tsx';
import { Skeleton } from './skeleton.tsx';

interface ResourceErrorProps {
  /** Such as `order`. */
  readonly noun: string;
  /** As it stands in the address of the page. */
  readonly id: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Takes the place of something of a digital key that could not be loaded. What belongs to another key of the holder is one click away. */
export function ResourceError(props: ResourceErrorProps) {
  const { noun } = props;
  return (
    <>
      <PageHeader title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`} />
      <Explanation {...props} />
    </>
  );
}

function Explanation({ noun, id, error, onRetry }: ResourceErrorProps) {
  const isOfAnother = error instanceof KeyfrontError && error.code === 'NOT_OWNED';
  const { data, isLoading } = useQuery({
    queryKey: ['holder', 'nfts', 'owns', id],
    queryFn: ({ signal }) => getKeyfront().holder.nfts({ owns: id }, { signal }),
    enabled: isOfAnother,
  });
  const change = useSwitchKey({ staysOnPage: true });
  if (isLoading) return <Skeleton height={220} />;
  const [owner] = data?.nfts ?? [];
  if (isOfAnother && owner) {
    return (
      <EmptyState
        icon="keys"
        title={texts.thisNounBelongsToDigitalKey(noun, owner.tokenId)}
        action={
          <Button loading={change.isPending} onClick={() => change.mutate(owner.tokenId)}>
            {texts.switchToTokenId(owner.tokenId)}
          </Button>
        }
      >
        {texts.notPrimaryKeyHint}
      </EmptyState>
    );
  }
  // An address that is no id is that of nothing, like one that nobody or somebody else has.
  if (isOfAnother || error instanceof NotFoundError || error instanceof ValidationError) {
    return (
      <EmptyState icon="search" title={texts.thereIsNoSuchNoun(noun)}>
        {texts.notFoundHint}
      </EmptyState>
    );
  }
  return <ErrorNotice title={texts.nounCouldNotBeLoaded(noun)} error={error} onRetry={onRetry} />;
}
