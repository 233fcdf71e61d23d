import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../../components/back-link.tsx';
import { CopyTextButton } from '../../../components/copy-button.tsx';
import { FactList } from '../../../components/fact-list.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { ResourceError } from '../../../components/resource-error.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { shortAddress } from '../../../format/short-address.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-holders.ts';
import { HolderKeyTable } from './holder-key-table.tsx';
import { HolderNftTable } from './holder-nft-table.tsx';
import classes from './holder-page.module.css';

/** One holder: their digital keys with what belongs to each, and their API keys. */
export function HolderPage() {
  const { holderId } = useParams({ from: '/shell/admin/holders/$holderId' });
  const {
    data: holder,
    error,
    refetch,
  } = useQuery({
    queryKey: ['admin', 'holder', holderId],
    queryFn: ({ signal }) => getKeyfront().admin.holders.get(holderId, { signal }),
  });
  if (error && !holder) {
    return (
      <>
        <BackLink to="/admin/holders">{texts.holders}</BackLink>
        <ResourceError noun="holder" id={holderId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!holder) return <Skeleton height={420} />;
  const { walletAddress, email, createdAt, lastActiveAt, nftCount, nfts, keys } = holder;
  return (
    <>
      <BackLink to="/admin/holders">{texts.holders}</BackLink>
      <PageHeader
        title={shortAddress(walletAddress)}
        description={<span className={classes.address}>{walletAddress}</span>}
        actions={<CopyTextButton value={walletAddress} label={texts.copyAddress} />}
      />
      <div className={classes.sections}>
        <Panel title={texts.holder}>
          <FactList
            facts={{
              'E-mail': email,
              'Known since': <Moment time={createdAt} />,
              'Last active': lastActiveAt && <Moment time={lastActiveAt} />,
            }}
          />
        </Panel>
        <Panel
          title={texts.digitalKeys}
          isFlush={nftCount > 0}
          aside={<Shown shown={nfts.length} all={nftCount} />}
        >
          {nftCount > 0 ? (
            <HolderNftTable nfts={nfts} />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.thisWalletNoLongerOwnsDigital}
            </Text>
          )}
        </Panel>
        <Panel title={texts.apiKeys} isFlush={keys.length > 0}>
          {keys.length > 0 ? (
            <HolderKeyTable keys={keys} />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.thisHolderHasNotCreatedApi}
            </Text>
          )}
        </Panel>
      </div>
    </>
  );
}

function Shown({ shown, all }: { readonly shown: number; readonly all: number }) {
  if (all <= shown) return null;
  return (
    <Text size="sm" c="dimmed">
      {texts.firstShownOfAll(shown, all)}
    </Text>
  );
}
