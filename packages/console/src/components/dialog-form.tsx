import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { clearDraft } from '../session/drafts.ts';
import { texts } from '../texts/components.ts';
import { DraftContext, useDraft } from './use-draft.ts';
import type { LeaveQuestion } from './use-leave-question.ts';

export interface DialogFormProps {
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  /**
   * The name under which the form is kept while it is not sent; whoever sends it calls `clearDraft`. Without one, the form is lost with
   * the page: for what must not be written down, and for what would be done twice if it were sent once more after a reload.
   */
  readonly draft?: string;
  /** Whether the dialog around it asks before it closes. */
  readonly leaving?: LeaveQuestion;
  readonly onCancel: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

/** The form of a dialog or a drawer: its fields, and the buttons that end it. */
export function DialogForm(props: DialogFormProps) {
  const [attempt, setAttempt] = useState(0);
  return <Form key={attempt} {...props} onStartOver={() => setAttempt(attempt + 1)} />;
}

function Form({
  submitLabel,
  isPending,
  isDisabled = false,
  draft,
  leaving,
  onCancel,
  onSubmit,
  onStartOver,
  children,
}: DialogFormProps & { readonly onStartOver: () => void }) {
  const { form, isRestored, save, fields } = useDraft(draft ?? null, leaving?.onChanged);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const forget = () => {
    if (draft !== undefined) clearDraft(draft);
  };
  const cancel = () => {
    forget();
    onCancel();
  };
  return (
    <form ref={form} onSubmit={submit} onInput={save} onChange={save}>
      <DraftContext value={fields}>
        <Stack>
          {isRestored && (
            <Group justify="space-between" gap="xs" role="status">
              <Text size="sm" c="dimmed">
                {texts.whatYouHadEnteredIsHere}
              </Text>
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  forget();
                  onStartOver();
                }}
              >
                {texts.startOver}
              </Button>
            </Group>
          )}
          {children}
          {leaving?.isAsking ? (
            <Group justify="flex-end" mt="xs">
              <Text size="sm" fw={600} role="alert" mr="auto">
                {texts.discardWhatYouHaveEntered}
              </Text>
              <Button variant="default" autoFocus onClick={leaving.onStay}>
                {texts.keepEditing}
              </Button>
              <Button color="red.8" onClick={cancel}>
                {texts.discard}
              </Button>
            </Group>
          ) : (
            <Group justify="flex-end" mt="xs">
              <Button variant="default" onClick={cancel}>
                {texts.cancel}
              </Button>
              <Button type="submit" loading={isPending} disabled={isDisabled}>
                {submitLabel}
              </Button>
            </Group>
          )}
        </Stack>
      </DraftContext>
    </form>
  );
}
