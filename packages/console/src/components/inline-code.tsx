import { Code } from '@mantine/core';

/** A sentence of the API's description, with what stands between backticks as code. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
      <Code key={index}>{part}</Code>
    ),
  );
}
