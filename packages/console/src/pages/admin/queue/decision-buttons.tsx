import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { showFailure } from '../../../components/toasts.tsx';
import { texts } from '../../../texts/admin-queue.ts';
import type { QueueKind, QueueRow } from './queue-kind.ts';
import { RejectModal } from './reject-modal.tsx';
import { useDecisions } from './use-decisions.ts';

interface DecisionButtonsProps<Row extends QueueRow, Details> {
  readonly kind: QueueKind<Row, Details>;
  readonly row: Row & Details;
}

/** Approves or rejects what a page shows, where the service allows it. */
export function DecisionButtons<Row extends QueueRow, Details>({
  kind,
  row,
}: DecisionButtonsProps<Row, Details>) {
  const [isRejecting, rejecting] = useDisclosure();
  const { running, decide } = useDecisions({
    kind,
    queryKey: [],
    listedApproval: undefined,
    onEnd: ([refused]) => {
      if (refused) showFailure(texts.labelNotDecided(refused.label), new Error(refused.reason));
    },
  });
  return (
    <>
      {kind.canDecide(row, 'VERIFIED') && (
        <Button loading={running !== null} onClick={() => void decide([row], { adminApproval: 'VERIFIED' })}>
          {texts.approve}
        </Button>
      )}
      {kind.canDecide(row, 'REJECTED') && kind.isRejectable(row) && (
        <Button variant="default" disabled={running !== null} onClick={rejecting.open}>
          {texts.reject}
        </Button>
      )}
      {isRejecting && (
        <RejectModal
          subject={kind.labelOf(row)}
          effect={kind.rejectionEffect([row])}
          noteReaders={kind.noteReaders}
          onClose={rejecting.close}
          onReject={(note) => {
            rejecting.close();
            void decide([row], { adminApproval: 'REJECTED', ...(note ? { note } : {}) });
          }}
        />
      )}
    </>
  );
}
