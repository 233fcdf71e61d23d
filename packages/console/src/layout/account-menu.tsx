import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../components/icon.tsx';
import { shortAddress } from '../format/short-address.ts';
import { useSession } from '../session/session-store.ts';
import { signOut } from '../session/sign-out.ts';
import { texts } from '../texts/layout.ts';

const schemes = [
  { value: 'light', label: texts.light, icon: 'sun' },
  { value: 'dark', label: texts.dark, icon: 'moon' },
  { value: 'auto', label: texts.asSystem, icon: 'device' },
] as const;

/** Who is signed in, the colour scheme, and the way out. */
export function AccountMenu({ target }: { readonly target: ReactElement }) {
  const session = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  if (!session) return null;
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {session.role === 'administrator' ? texts.administrator : texts.holder} · {session.walletName}
          </Text>
          <Text size="xs" c="dimmed" className="tabular">
            {shortAddress(session.walletAddress)}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        {schemes.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} size={16} />}
            rightSection={colorScheme === value ? <Icon name="check" size={16} /> : null}
            aria-label={colorScheme === value ? texts.labelChosen(label) : label}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<Icon name="external" size={16} />}
        >
          {texts.apiReference}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => void signOut()}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
