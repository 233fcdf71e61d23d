import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog at the side of the page, which gives the focus back. */
export function Drawer(props: DrawerProps) {
  useReturnFocus(props.opened);
  return <MantineDrawer returnFocus={false} {...props} />;
}
