import { Text } from '@mantine/core';
import { texts } from '../texts/components.ts';

interface KeyNameProps {
  readonly keyName: string;
  readonly tokenId: number;
}

/** An API key, with the digital key that it acts for. */
export function KeyName({ keyName, tokenId }: KeyNameProps) {
  return (
    <>
      <Text size="sm" fw={600} truncate>
        <bdi>{keyName}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {texts.digitalKeyTokenId(tokenId)}
      </Text>
    </>
  );
}
