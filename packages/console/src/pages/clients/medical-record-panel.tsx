import { Button, Code, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Modal } from '../../components/modal.tsx';
import { Panel } from '../../components/panel.tsx';
import { useLeaveQuestion } from '../../components/use-leave-question.ts';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';

/** Shows the medical record to somebody who says why they need it. It leaves the page with the dialog. */
export function MedicalRecordPanel({ clientId }: { readonly clientId: string }) {
  const [isOpen, dialog] = useDisclosure();
  const read = useSingleMutation({
    mutationFn: (reason: string) => getKeyfront().clients.readMedicalRecord(clientId, { reason }),
    // Not kept for later: the next look needs its own reason.
    gcTime: 0,
  });
  const close = () => {
    dialog.close();
    read.reset();
  };
  const [leave, leaving] = useLeaveQuestion(close);
  const { byField, hasOthers } = issuesByField(read.error, ['reason']);
  return (
    <Panel title={texts.medicalRecord}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.storedEncryptedAndShownOnlyWith}
      </Text>
      <Button variant="default" leftSection={<Icon name="eye" size={16} />} onClick={dialog.open}>
        {texts.showMedicalRecord}
      </Button>
      <Modal opened={isOpen} onClose={read.data ? close : leave} title={texts.medicalRecord} size="lg">
        {read.data ? (
          <Stack>
            {read.data.medicalRecord === null ? (
              <Text size="sm">{texts.thisClientHasNoMedicalRecord}</Text>
            ) : (
              <Code block tabIndex={0} mah={420} style={{ overflow: 'auto' }}>
                {JSON.stringify(read.data.medicalRecord, null, 2)}
              </Code>
            )}
            <Group justify="flex-end">
              <Button autoFocus onClick={close}>
                {texts.close}
              </Button>
            </Group>
          </Stack>
        ) : (
          <DialogForm
            submitLabel={texts.show}
            isPending={read.isPending}
            leaving={leaving}
            onCancel={close}
            onSubmit={(form) => read.mutate(String(form.get('reason') ?? '').trim())}
          >
            {read.error && hasOthers && <ErrorNotice title={texts.recordCouldNotBeRead} error={read.error} />}
            <Textarea
              data-autofocus
              name="reason"
              label={texts.reason}
              description={texts.itIsWrittenToAuditLog}
              placeholder={texts.clientAskedAboutAllergy}
              required
              maxLength={500}
              autosize
              minRows={2}
              error={byField.get('reason')}
            />
          </DialogForm>
        )}
      </Modal>
    </Panel>
  );
}
