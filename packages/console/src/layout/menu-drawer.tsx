import { Drawer } from '../components/drawer.tsx';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import { Brand } from './brand.tsx';
import { Sidebar } from './sidebar.tsx';

interface MenuDrawerProps {
  readonly role: Session['role'];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The pages of a role on a narrow screen. */
export function MenuDrawer({ role, isOpen, onClose }: MenuDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={280}
      title={<Brand />}
      closeButtonProps={{ 'aria-label': texts.closeMenu }}
    >
      <Sidebar role={role} />
    </Drawer>
  );
}
