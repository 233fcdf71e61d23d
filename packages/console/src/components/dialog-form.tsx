import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { clearDraft } from '../session/drafts.ts';
import { texts } from '../texts/components.ts';
import { DraftContext, useDraft } from './use-draft.ts';
import type { LeaveQuestion } from './use-leave-question.ts';

export interface DialogFormProps {
  readonly submitLabel: string;
  /** Whether what it does cannot be taken back. */
  readonly isFinal?: boolean;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /**
   * The name under which the form is kept while it is not sent; whoever sends it calls `clearDraft`. Without one, the form is lost with
   * the page: for what must not be written down, and for what would be done twice if it were sent once more after a reload.
   */
  readonly draft?: string;
  /** Whether the dialog around it asks before it closes. */
  readonly leaving?: LeaveQuestion;
  readonly onCancel: () => void;
  /** Leads to the step before, in place of the button that cancels. */
  readonly onBack?: (() => void) | undefined;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

const fieldSelector = 'input:not([type="hidden"], [type="radio"]:not(:checked)), textarea, select';

/** The form of a dialog or a drawer: its fields, and the buttons that end it. */
export function DialogForm(props: DialogFormProps) {
  const [attempt, setAttempt] = useState(0);
  return <Form key={attempt} {...props} onStartOver={() => setAttempt(attempt + 1)} />;
}

function Form({
  submitLabel,
  isFinal = false,
  isPending = false,
  isDisabled = false,
  draft,
  leaving,
  onCancel,
  onBack,
  onSubmit,
  onStartOver,
  children,
}: DialogFormProps & { readonly onStartOver: () => void }) {
  const { form, isRestored, save, fields } = useDraft(draft ?? null, leaving?.onChanged);
  const field = useRef<HTMLElement>(null);
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector) ?? null;
    field.current = find(fieldSelector);
    // Where somebody begins. A dialog would begin with the button that closes it.
    if (!find('[data-autofocus]'))
      (field.current ?? find('[type="submit"]'))?.setAttribute('data-autofocus', '');
  }, [form]);
  useEffect(() => {
    // Where something is to be corrected after an attempt.
    if (!isPending) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, isPending]);
  const hasStepBefore = onBack !== undefined;
  useEffect(() => {
    if (!hasStepBefore) return;
    // Whoever goes back begins with the first field again.
    return () => form.current?.querySelector<HTMLElement>(fieldSelector)?.focus();
  }, [form, hasStepBefore]);
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
    <form
      ref={form}
      onSubmit={submit}
      onInput={save}
      onChange={save}
      onFocus={({ target }) => {
        if (target.matches(fieldSelector)) field.current = target;
      }}
    >
      <DraftContext value={fields}>
        <Stack>
          {isRestored && (
            <Group justify="space-between" gap="xs" role="status">
              <Text size="sm" c="dimmed">
                {texts.draftRestored}
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
            // With keys: a button that becomes the one that submits while it is pressed submits.
            <Group key="leaving" justify="flex-end" mt="xs">
              <Text size="sm" fw={600} role="alert" mr="auto">
                {texts.discardWhatYouHaveEntered}
              </Text>
              <Button
                variant="default"
                autoFocus
                onClick={() => {
                  leaving.onStay();
                  field.current?.focus();
                }}
              >
                {texts.keepEditing}
              </Button>
              <Button color="red.8" onClick={cancel}>
                {texts.discard}
              </Button>
            </Group>
          ) : (
            <Group key="ending" justify="flex-end" mt="xs">
              <Button variant="default" onClick={onBack ?? cancel}>
                {onBack ? texts.back : texts.cancel}
              </Button>
              <Button
                type="submit"
                {...(isFinal ? { color: 'red.8' } : {})}
                loading={isPending}
                disabled={isDisabled}
              >
                {submitLabel}
              </Button>
            </Group>
          )}
        </Stack>
      </DraftContext>
    </form>
  );
}
