import type { Keyfront } from '@keyfront/sdk';
import { Modal, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { fullName } from '../format/full-name.ts';
import { shortAddress } from '../format/short-address.ts';
import { readHolderSearch } from '../pages/admin/holders/holder-filters.ts';
import { useKeyfront } from '../session/keyfront.ts';
import type { Session } from '../session/session-store.ts';
import classes from './command-palette.module.css';
import { navigationOf } from './navigation.ts';

interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

interface CommandPaletteProps {
  readonly role: Session['role'];
  readonly onClose: () => void;
}

/** Goes to a page by typing a part of its name. Holders find their orders and clients too, and administrators a holder. */
export function CommandPalette({ role, onClose }: CommandPaletteProps) {
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const pages = findPages(role, text);
  const found = useFoundResources(role, text);
  const commands = [...pages, ...found];
  const active = commands[Math.min(position, commands.length - 1)];

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void navigate({ to: command.to, search: command.search ?? {} });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPosition((commands.length + position + step) % Math.max(commands.length, 1));
    }
    if (event.key === 'Enter') run(active);
  };

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12dvh"
      aria-label="Commands"
    >
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.input}
        leftSection={<Icon name="search" />}
        placeholder={role === 'holder' ? 'Go to a page, an order or a client' : 'Go to a page or a holder'}
        aria-label={role === 'holder' ? 'Search pages, orders and clients' : 'Search pages and holders'}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={active && `${listId}-${active.id}`}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Results" className={classes.list}>
        {commands.map((command) => (
          <UnstyledButton
            key={command.id}
            id={`${listId}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === active}
            className={classes.option}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} size={16} />
            <span className={classes.label}>{command.label}</span>
            <span className={classes.hint}>{command.hint}</span>
          </UnstyledButton>
        ))}
        {commands.length === 0 && (
          <div
            role="option"
            aria-selected="false"
            aria-disabled="true"
            tabIndex={-1}
            className={classes.nothing}
          >
            Nothing found
          </div>
        )}
      </div>
    </Modal>
  );
}

function findPages(role: Session['role'], text: string): Command[] {
  const part = text.trim().toLowerCase();
  return navigationOf(role)
    .flatMap(({ items }) => items)
    .filter(({ label }) => label.toLowerCase().includes(part))
    .map(({ label, to, icon, search = {} }) => ({
      id: to.replaceAll('/', '-'),
      label,
      hint: 'Page',
      icon,
      to,
      search,
    }));
}

/** What a role finds by typing, and from how many characters on. The number of a digital key may be a single digit. */
const searches = {
  holder: { fewestCharacters: 2, find: findOrdersAndClients },
  administrator: { fewestCharacters: 1, find: findHolders },
};

function useFoundResources(role: Session['role'], text: string): Command[] {
  const keyfront = useKeyfront();
  const { fewestCharacters, find } = searches[role];
  const [search] = useDebouncedValue(text.trim(), 200);
  const { data = [] } = useQuery({
    queryKey: ['palette', search],
    enabled: search.length >= fewestCharacters,
    queryFn: ({ signal }) => find(keyfront, search, signal),
  });
  return text.trim().length >= fewestCharacters ? data : [];
}

async function findOrdersAndClients(
  keyfront: Keyfront,
  search: string,
  signal: AbortSignal,
): Promise<Command[]> {
  const [{ orders }, { clients }] = await Promise.all([
    keyfront.orders.list({ search, take: 4 }, { signal }),
    keyfront.clients.list({ search, take: 4 }, { signal }),
  ]);
  return [
    ...orders.map(({ id, invoiceNumber, client }) => ({
      id,
      label: invoiceNumber,
      hint: fullName(client),
      icon: 'orders' as const,
      to: `/orders/${id}`,
    })),
    ...clients.map((client) => ({
      id: client.id,
      label: fullName(client),
      hint: client.email,
      icon: 'clients' as const,
      to: `/clients/${client.id}`,
    })),
  ];
}

async function findHolders(keyfront: Keyfront, search: string, signal: AbortSignal): Promise<Command[]> {
  const filter = readHolderSearch(search);
  if (filter === null) return [];
  const { holders } = await keyfront.admin.holders.list({ ...filter, take: 4 }, { signal });
  return holders.map(({ id, walletAddress, tokenIds }) => ({
    id,
    label: shortAddress(walletAddress),
    hint: tokenIds.length === 0 ? 'No digital key' : tokenIds.map((tokenId) => `#${tokenId}`).join(', '),
    icon: 'holders' as const,
    to: `/admin/holders/${id}`,
  }));
}
