import { Text } from '@mantine/core';

/** What the visitor has to do now. Assistive technology reads it when it changes. */
export function StepText({ step }: { readonly step: string | null }) {
  return (
    <Text size="sm" aria-live="polite" fw={step === null ? undefined : 600} span>
      {step}
    </Text>
  );
}
