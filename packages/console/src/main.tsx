import './styles/mantine.css';
import './styles/theme.css';
import './styles/first-paint.css';
import { setNonce } from 'get-nonce';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { router } from './app/router.tsx';
import { styleNonce } from './page-settings.ts';

setNonce(styleNonce);
new Worker(new URL('./format/read-locale.worker.ts', import.meta.url), { type: 'module' });
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element to render into');
const render = () =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
// The page is chosen before the first render, which would otherwise be followed by another one, at once and in one piece. All of this is
// done in small steps, between which the browser reacts to what somebody does. Not `load`, which would leave in the address what is no
// filter of the page.
const openPage = () => router.navigate({ to: '.', search: true, hash: true, state: true, replace: true });
setTimeout(() => void openPage().finally(() => startTransition(render)));
