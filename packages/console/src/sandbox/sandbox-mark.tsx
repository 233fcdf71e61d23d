import { useState } from 'react';
import { PageNotLoaded } from '../components/page-not-loaded.ts';
import { showFailure } from '../components/toasts.tsx';
import { pageSettings } from '../page-settings.ts';
import { texts } from '../texts/sandbox.ts';
import classes from './sandbox-mark.module.css';

const loadDialog = () => import('./sandbox-dialog.tsx');
type SandboxDialog = Awaited<ReturnType<typeof loadDialog>>['SandboxDialog'];

/** Says on every page that nothing is real, and opens what there is to know and to do about it. */
export function SandboxMark() {
  const [Dialog, setDialog] = useState<SandboxDialog | null>(null);
  if (!pageSettings.isSandbox) return null;
  const open = async () => {
    try {
      const { SandboxDialog } = await loadDialog();
      setDialog(() => SandboxDialog);
    } catch (error) {
      showFailure(texts.dialogCouldNotBeLoaded, new PageNotLoaded(error));
    }
  };
  return (
    <aside className={classes.mark} aria-label={texts.sandbox}>
      <button type="button" onClick={() => void open()}>
        {texts.sandbox}
      </button>
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
    </aside>
  );
}
