import { Text, Textarea } from '@mantine/core';
import { FormModal } from '../../../components/form-modal.tsx';
import { texts } from '../../../texts/admin-queue.ts';

interface RejectModalProps {
  /** Such as `3 orders`. */
  readonly subject: string;
  /** What the rejection does. */
  readonly effect: string;
  /** Who reads the note. */
  readonly noteReaders: string;
  readonly onClose: () => void;
  readonly onReject: (rejectionNote: string) => void;
}

/** Asks why. */
export function RejectModal({ subject, effect, noteReaders, onClose, onReject }: RejectModalProps) {
  return (
    <FormModal
      title={texts.rejectSubject(subject)}
      submitLabel={texts.reject}
      isFinal
      onClose={onClose}
      onSubmit={(form) => onReject(String(form.get('note') ?? '').trim())}
    >
      <Text size="sm">{effect}</Text>
      <Textarea
        name="note"
        label={texts.note}
        description={texts.noteReadersItMayBeEmpty(noteReaders)}
        maxLength={1000}
        autosize
        minRows={3}
      />
    </FormModal>
  );
}
