import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Panel } from '../components/panel.tsx';
import { showFailure } from '../components/toasts.tsx';
import { useSingleMutation } from '../components/use-single-mutation.ts';
import { texts } from '../texts/sandbox.ts';

interface SandboxAction {
  readonly label: string;
  /** Whether it leads anywhere. */
  readonly isPossible: boolean;
  readonly run: () => Promise<unknown>;
}

interface SandboxActionsProps {
  /** Who decides elsewhere. */
  readonly description: string;
  readonly actions: readonly SandboxAction[];
}

/** Buttons for what others decide in a real service. The service applies the same rules. */
export function SandboxActions({ description, actions }: SandboxActionsProps) {
  const queryClient = useQueryClient();
  const act = useSingleMutation({
    mutationFn: ({ run }: SandboxAction) => run(),
    onError: (error, { label }) => showFailure(texts.refused(label), error),
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <Panel title={texts.sandbox}>
      <Stack>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        <Group gap={8}>
          {actions.map((action) => {
            const isDisabled = !action.isPossible || act.isPending;
            return (
              // Not `disabled`: a button that was pressed would lose the focus.
              <Button
                key={action.label}
                variant="default"
                size="compact-sm"
                data-disabled={isDisabled}
                aria-disabled={isDisabled}
                onClick={() => {
                  if (!isDisabled) act.mutate(action);
                }}
              >
                {action.label}
              </Button>
            );
          })}
        </Group>
      </Stack>
    </Panel>
  );
}
