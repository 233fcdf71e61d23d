import type { Order } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { FactList } from '../../components/fact-list.tsx';
import { Panel } from '../../components/panel.tsx';
import { texts } from '../../texts/orders.ts';

/** What another system knows about an order: its own id and further texts. */
export function ReferencePanel({
  order: { externalReference, metadata },
}: {
  readonly order: Pick<Order, 'externalReference' | 'metadata'>;
}) {
  const names = Object.keys(metadata);
  if (externalReference === '' && names.length === 0) return null;
  return (
    <Panel title={texts.fromStorefront}>
      {externalReference !== '' && <FactList facts={{ Reference: externalReference }} />}
      {names.length > 0 && (
        <>
          <Text size="xs" c="dimmed" fw={600} mt={externalReference === '' ? 0 : 'md'} mb={8}>
            {texts.metadata}
          </Text>
          <FactList facts={metadata} />
        </>
      )}
    </Panel>
  );
}
