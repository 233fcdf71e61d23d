import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { isOverlayOpen } from '../components/is-overlay-open.ts';
import { Later } from '../components/later.tsx';
import { PageNotLoaded } from '../components/page-not-loaded.ts';
import { clearToasts, showFailure } from '../components/toasts.tsx';
import { useLiveEvents } from '../live/use-live-events.ts';
import { type Session, useSession } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import { AccountButton } from './account-button.tsx';
import { Brand } from './brand.tsx';
import { collectTyping, type TypedAhead } from './collect-typing.ts';
import { KeySwitch } from './key-switch.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { StaleNotice } from './stale-notice.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

const loadPalette = () => import('./command-palette.tsx');
const prepare = () => void loadPalette().catch(() => undefined);
type CommandPalette = Awaited<ReturnType<typeof loadPalette>>['CommandPalette'];
const loadDrawer = () => import('./menu-drawer.tsx');
type MenuDrawer = Awaited<ReturnType<typeof loadDrawer>>['MenuDrawer'];
/** Long after the page is there. Whoever is faster points at the search field or presses Ctrl first, which loads it too. */
const preloadDelayMs = 10_000;

/** The frame of all pages behind the sign-in. Another session begins with a new one, and with nothing on its pages. */
export function Shell() {
  const session = useSession();
  return session && <Frame key={session.token} session={session} />;
}

function Frame({ session }: { readonly session: Session }) {
  const [isMenuOpen, menu] = useDisclosure();
  const [Palette, setPalette] = useState<CommandPalette | null>(null);
  /** Whether the palette has become a dialog, with what somebody has filled in. */
  const isAsking = useRef(false);
  const typed = useRef<TypedAhead>(null);
  const [Drawer, setDrawer] = useState<MenuDrawer | null>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const togglePalette = () => {
    // Not over a dialog: what is chosen there would lead away from it.
    if (Palette) {
      if (!isAsking.current) setPalette(null);
    } else if (!isOverlayOpen()) void openPalette();
  };
  const openPalette = async () => {
    typed.current?.end();
    typed.current = collectTyping();
    try {
      const { CommandPalette } = await loadPalette();
      isAsking.current = false;
      setPalette(() => CommandPalette);
    } catch (error) {
      typed.current.end();
      showFailure(texts.commandPaletteCouldNotBeLoaded, new PageNotLoaded(error));
    }
  };
  const openMenu = async () => {
    try {
      const { MenuDrawer } = await loadDrawer();
      setDrawer(() => MenuDrawer);
      menu.open();
    } catch (error) {
      showFailure(texts.menuCouldNotBeLoaded, new PageNotLoaded(error));
    }
  };
  useHotkeys([['mod+K', togglePalette]], []);
  useLiveEvents();
  useKeptFocus();
  useEffect(() => clearToasts, []);
  useEffect(() => {
    const timer = setTimeout(prepare, preloadDelayMs);
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') prepare();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  const shownPath = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const leftPath = useRef<string>(undefined);
  useEffect(() => {
    // The link that was followed may be gone with its page. The Tab key goes on in the new one, not at the menu.
    if (leftPath.current !== undefined && isFocusLost())
      document.getElementById('content')?.focus({ preventScroll: true });
    leftPath.current = shownPath;
  }, [shownPath]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu of a small screen.
  useEffect(menu.close, [path]);
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {texts.skipToContent}
      </a>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <Later>
          <Sidebar role={session.role} />
        </Later>
      </aside>
      <div className={classes.main}>
        <header className={classes.header}>
          <button
            type="button"
            className={`plain-button ${classes.burger}`}
            aria-label={texts.openMenu}
            onClick={() => void openMenu()}
          >
            <Icon name="menu" size={22} />
          </button>
          <button
            type="button"
            className={`plain-button ${classes.search}`}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => void openPalette()}
          >
            <Icon name="search" size={16} />
            <span className={classes.searchLabel}>{texts.goToPageOrSearch}</span>
            <kbd className={classes.kbd}>Ctrl K</kbd>
          </button>
          <div className={classes.tools}>
            {session.role === 'holder' && <KeySwitch />}
            <AccountButton session={session} />
          </div>
        </header>
        <main id="content" className={classes.content} tabIndex={-1}>
          <StaleNotice />
          <Outlet />
          {/* Where open menus are, so that they belong to a landmark of the page. */}
          <div id="menus" />
        </main>
      </div>
      {Drawer && <Drawer role={session.role} isOpen={isMenuOpen} onClose={menu.close} />}
      {Palette && typed.current && (
        <Palette
          role={session.role}
          typed={typed.current}
          onQuestion={() => {
            isAsking.current = true;
          }}
          onClose={() => setPalette(null)}
        />
      )}
    </div>
  );
}
