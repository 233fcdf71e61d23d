import { type ComponentType, cloneElement, type ReactElement, useEffect, useRef, useState } from 'react';
import { PageNotLoaded } from '../components/page-not-loaded.ts';
import { showFailure } from '../components/toasts.tsx';
import { texts } from '../texts/layout.ts';

/** A menu that is loaded on demand. */
export type LoadedMenu = ComponentType<{ readonly target: ReactElement }>;

interface DeferredMenuProps {
  readonly load: () => Promise<LoadedMenu>;
  /** The button that opens it. */
  readonly target: ReactElement<Record<string, unknown>>;
}

/** A menu whose script is loaded when somebody is about to open it. Menus are a tenth of what the first page would load. */
export function DeferredMenu({ load, target }: DeferredMenuProps) {
  const [Menu, setMenu] = useState<LoadedMenu | null>(null);
  const place = useRef<HTMLDivElement>(null);
  // The button of the menu takes the place of the one that was pressed, and goes on where that one was.
  useEffect(() => {
    const button = Menu && place.current?.querySelector('button');
    button?.focus();
    button?.click();
  }, [Menu]);
  const prepare = () => void load().catch(() => undefined);
  const open = async () => {
    try {
      const Loaded = await load();
      setMenu(() => Loaded);
    } catch (error) {
      showFailure(texts.menuCouldNotBeLoaded, new PageNotLoaded(error));
    }
  };
  return (
    <div ref={place}>
      {Menu ? (
        <Menu target={target} />
      ) : (
        cloneElement(target, {
          'aria-haspopup': 'menu',
          'aria-expanded': false,
          onPointerEnter: prepare,
          onFocus: prepare,
          onClick: () => void open(),
        })
      )}
    </div>
  );
}
