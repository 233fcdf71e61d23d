import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { saveFile } from '../../files/save-file.ts';
import { today } from '../../filters/local-days.ts';
import { countOf } from '../../format/count-of.ts';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/orders.ts';
import { type ExportFormat, exportOrders } from './export-orders.ts';
import { hasExport, type OrderFilters } from './order-filters.ts';

interface ExportButtonProps {
  readonly filters: OrderFilters;
  /** How many orders match; undefined while it is not known. */
  readonly count: number | undefined;
}

/** Downloads all orders that match the filters, and shows how far it is. */
export function ExportButton({ filters, count }: ExportButtonProps) {
  const [orders, setOrders] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);

  const run = async (format: ExportFormat) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setOrders(0);
    let exported = 0;
    const onProgress = (done: number) => {
      exported = done;
      setOrders(done);
    };
    try {
      const file = await exportOrders(filters, format, { signal, onProgress });
      saveFile(`orders-${today()}.${format}`, file);
      showSuccess(`${countOf(exported, 'order')} exported`);
    } catch (error) {
      if (!signal.aborted) showFailure(texts.exportHasFailed, error as Error);
    } finally {
      setOrders(null);
    }
  };

  const total = count ?? 0;
  const done = orders ?? 0;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            disabled={total === 0 || !hasExport(filters)}
          >
            {texts.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void run('csv')}>{texts.csvFile}</Menu.Item>
          <Menu.Item onClick={() => void run('xlsx')}>{texts.excelWorkbook}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={orders !== null}
        onClose={() => controller.current?.abort()}
        title={texts.exportingOrders}
        withCloseButton={false}
      >
        <Stack>
          <Progress
            value={total === 0 ? 0 : Math.min((100 * done) / total, 100)}
            aria-label={texts.progressOfExport}
            animated
          />
          <Group justify="space-between">
            <Text size="sm" className="tabular">
              {texts.doneOfTotal(formatNumber(done), formatNumber(total))}
            </Text>
            <Button variant="default" size="xs" onClick={() => controller.current?.abort()}>
              {texts.cancel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
