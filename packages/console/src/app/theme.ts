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
    Menu: { defaultProps: { portalProps: { target: '#menus' }, withInitialFocusPlaceholder: false } },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    DrawerCloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});
