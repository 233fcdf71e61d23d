import type { AuditEntry } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import { texts } from '../../../texts/admin-clients.ts';
import { AuditRow } from '../audit/audit-row.tsx';

/** What was changed about a client, and who has read the medical record. */
export function ClientHistory({ history }: { readonly history: readonly AuditEntry[] }) {
  return (
    <Panel title={texts.history} isFlush={history.length > 0}>
      {history.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.nobodyHasChangedOrDecidedAnything}
        </Text>
      )}
      {history.map((entry) => (
        <AuditRow key={entry.id} entry={entry} isNamed={false} />
      ))}
    </Panel>
  );
}
