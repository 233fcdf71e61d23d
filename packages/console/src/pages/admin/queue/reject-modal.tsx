import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
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
  const [note, setNote] = useState('');
  const isEmpty = note === '';
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.rejectSubject(subject)}
      // Neither loses a note by accident.
      closeOnClickOutside={isEmpty}
      closeOnEscape={isEmpty}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onReject(note.trim());
        }}
      >
        <Stack>
          <Text size="sm">{effect}</Text>
          <Textarea
            data-autofocus
            label={texts.note}
            description={texts.noteReadersItMayBeEmpty(noteReaders)}
            maxLength={1000}
            autosize
            minRows={3}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.keep}
            </Button>
            <Button type="submit" color="red.8">
              {texts.reject}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
