import { KeyfrontError } from '@keyfront/sdk';
import { Code, Group, List, Stack, Text } from '@mantine/core';
import { explainError } from '../format/explain-error.ts';
import { CopyTextButton } from './copy-button.tsx';

/** What has failed, with the id that finds the request in the log of the service. */
export function ErrorText({ error }: { readonly error: Error }) {
  const sentences = explainError(error);
  const requestId = error instanceof KeyfrontError ? error.requestId : null;
  return (
    <Stack gap={6}>
      {sentences.length > 1 ? (
        <List size="sm">
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{sentences}</Text>
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
