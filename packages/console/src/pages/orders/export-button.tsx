import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { saveFile } from '../../files/save-file.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { countRows } from './count-rows.ts';
import type { OrderFilters } from './order-filters.ts';

interface ExportButtonProps {
  readonly filters: OrderFilters;
  /** How many orders match; undefined while it is not known. */
  readonly count: number | undefined;
}

/** Downloads all orders that match the filters, and shows how far it is. */
export function ExportButton({ filters, count }: ExportButtonProps) {
  const [rows, setRows] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);

  const run = async () => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRows(0);
    try {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      const counter = countRows();
      const { clientId: _clientId, ...exported } = filters;
      for await (const chunk of getKeyfront().orders.export(exported, { signal }).csv()) {
        chunks.push(new Uint8Array(chunk));
        setRows(counter.add(chunk));
      }
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`orders-${day}.csv`, new Blob(chunks, { type: 'text/csv' }));
      showSuccess(`${counter.rows.toLocaleString()} orders exported`);
    } catch (error) {
      if (!signal.aborted) showFailure('The export has failed', error as Error);
    } finally {
      setRows(null);
    }
  };

  const total = count ?? 0;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        disabled={total === 0 || filters.clientId !== undefined}
        onClick={() => void run()}
      >
        Export CSV
      </Button>
      <Modal
        opened={rows !== null}
        onClose={() => controller.current?.abort()}
        title="Exporting orders"
        withCloseButton={false}
      >
        <Stack>
          <Progress
            value={total === 0 ? 0 : (100 * (rows ?? 0)) / total}
            aria-label="Progress of the export"
            animated
          />
          <Group justify="space-between">
            <Text size="sm" className="tabular">
              {(rows ?? 0).toLocaleString()} of {total.toLocaleString()}
            </Text>
            <Button variant="default" size="xs" onClick={() => controller.current?.abort()}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
