import type { ApiKey } from '@keyfront/sdk';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useRequestedForm } from '../../components/use-requested-form.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/keys.ts';
import { KeyFormDrawer, keyDraft } from './key-form-drawer.tsx';
import { KeyTable } from './key-table.tsx';
import { type NewSecret, SecretModal } from './secret-modal.tsx';

const pageSize = 50;

/** The API keys of the holder. */
export function KeysPage() {
  const [isAdding, adding] = useDisclosure(readDraft(keyDraft()) !== null);
  useRequestedForm(adding.open);
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['keys', 'list'],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().keys.list({ take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
  });
  const keys: ApiKey[] | undefined = query.data?.pages.flatMap((page) => page.keys);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {texts.createKey}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={texts.apiKeys}
        description={texts.storefrontsSignTheirRequestsWithThem}
        actions={add}
      />
      <ListPanel
        query={query}
        rows={keys}
        errorTitle={texts.keysCouldNotBeLoaded}
        empty={
          <EmptyState icon="keys" title={texts.noKeysYet} action={add}>
            {texts.createOneForEachProgramThat}
          </EmptyState>
        }
      >
        <KeyTable keys={keys} onSecret={setSecret} />
      </ListPanel>
      <KeyFormDrawer isOpen={isAdding} onClose={adding.close} onCreated={setSecret} />
      {secret && <SecretModal secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
