import { createTheme, type MantineColorsTuple } from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dde1ff',
  '#bfc6ff',
  '#a0a9ff',
  '#7f88fb',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#2a2680',
];

/** The greys of the dark scheme, with a touch of the brand. */
const slate: MantineColorsTuple = [
  '#e6e7ee',
  '#c5c8d4',
  '#a4a9b8',
  '#737889',
  '#4b4f60',
  '#363949',
  '#1d1f2a',
  '#181a24',
  '#14151d',
  '#0e0f15',
];

/** A press beside what is open closes it, and does nothing else: the overlay takes the whole press, from its beginning to its click. */
const overlay = {
  withOverlay: true,
  overlayProps: { fixed: true, backgroundOpacity: 0 },
  // Gone at once when something was chosen. It would take the next press, too.
  transitionProps: { exitDuration: 1 },
};

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  colors: { brand: indigo, dark: slate },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Geist, "Geist fallback", ui-sans-serif, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    ModalTitle: { defaultProps: { fw: 650 } },
    DrawerTitle: { defaultProps: { fw: 650 } },
    // A header element would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The placeholder would be a child that a menu may not have.
    Menu: {
      defaultProps: {
        ...overlay,
        clickOutsideEvents: ['click', 'keydown'],
        portalProps: { target: '#menus' },
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { ...overlay, clickOutsideEvents: ['click'] } },
    // Its field stays in use while the list is open.
    Combobox: { defaultProps: { withOverlay: false } },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    DrawerCloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
