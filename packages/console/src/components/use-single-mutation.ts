import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * `useMutation`, but a call does nothing while the one before is under way. A button is disabled only when the page has been drawn
 * again, which is too late for the second click of a double click.
 */
export function useSingleMutation<Data, Variables = void, Context = unknown>({
  mutationFn,
  ...options
}: UseMutationOptions<Data, Error, Variables, Context> & {
  readonly mutationFn: (variables: Variables) => Promise<Data>;
}): UseMutationResult<Data, Error, Variables, Context> {
  const isRunning = useRef(false);
  const mutation = useMutation({
    ...options,
    mutationFn: async (variables: Variables) => {
      try {
        return await mutationFn(variables);
      } finally {
        isRunning.current = false;
      }
    },
  });
  return {
    ...mutation,
    mutate: (...call) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(...call);
    },
  };
}
