import { KeyfrontError, ValidationError } from '@keyfront/sdk';
import { Code, Group, List, Stack, Text } from '@mantine/core';
import { CopyTextButton } from './copy-button.tsx';

/** What the service says about a failure, with the id that finds the request in its log. */
export function ErrorText({ error }: { readonly error: Error }) {
  const requestId = error instanceof KeyfrontError ? error.requestId : null;
  return (
    <Stack gap={6}>
      {error instanceof ValidationError && error.issues.length > 1 ? (
        <List size="sm">
          {error.issues.map((issue) => (
            <List.Item key={issue}>{issue}</List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{error.message}</Text>
      )}
      {requestId && (
        <Group gap={8}>
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
          <CopyTextButton value={describe(error)} label="Copy" />
        </Group>
      )}
    </Stack>
  );
}

/** Everything that a support request needs. */
function describe(error: Error): string {
  if (!(error instanceof KeyfrontError)) return error.message;
  return [`${error.status ?? ''} ${error.code ?? error.name}`.trim(), error.message, error.requestId]
    .filter(Boolean)
    .join('\n');
}
