// Drafts are forgotten in every tab, also in one that shows no form.
import '../session/drafts.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ToastRegion } from '../components/toasts.tsx';
import { styleNonce } from '../page-settings.ts';
import { useSession } from '../session/session-store.ts';
import { queryClientOf } from './query-client.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

/** Everything that all pages share. */
export function App() {
  const session = useSession();
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queryClientOf(session)}>
        <RouterProvider router={router} />
        <ToastRegion />
      </QueryClientProvider>
    </MantineProvider>
  );
}
