import './styles/mantine.css';
import './styles/theme.css';
import './styles/first-paint.css';
import { setNonce } from 'get-nonce';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { styleNonce } from './page-settings.ts';

setNonce(styleNonce);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element to render into');
// In small steps, between which the browser reacts to what somebody does.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
