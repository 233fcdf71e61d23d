import { TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { Modal } from '../components/modal.tsx';
import { useKeyfront } from '../session/keyfront.ts';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import type { TypedAhead } from './collect-typing.ts';
import { CommandDialog } from './command-dialog.tsx';
import classes from './command-palette.module.css';
import { type Command, findPages, readRequest, searches } from './commands.ts';

interface CommandPaletteProps {
  readonly role: Session['role'];
  /** What was typed while it was loaded. */
  readonly typed: TypedAhead;
  /** It asks something: from now on it is a dialog, which only its buttons and Escape close. */
  readonly onQuestion: () => void;
  readonly onClose: () => void;
}

const searchWords = {
  holder: {
    label: texts.searchPagesOrdersAndClients,
    placeholder: texts.goToPageOrderOrClient,
  },
  administrator: {
    label: texts.searchPagesOrdersAndHolders,
    placeholder: texts.goToPageOrderOrHolder,
  },
};

/**
 * Goes to a page by typing a part of its name, finds orders, clients and holders, and runs commands. A command that changes something
 * asks first.
 */
export function CommandPalette({ role, typed, onQuestion, onClose }: CommandPaletteProps) {
  const [text, setText] = useState(typed.text);
  useEffect(() => typed.follow(setText), [typed]);
  const [position, setPosition] = useState(0);
  const [question, setQuestion] = useState<Command['question']>();
  const navigate = useNavigate();
  const listId = useId();
  const pages = findPages(role, text);
  const found = useFoundResources(role, text);
  const commands = [...pages, ...found];
  const active = commands[Math.min(position, commands.length - 1)];

  const run = (command: Command | undefined) => {
    if (!command) return;
    // What was before the palette may be on the page that is left.
    document.getElementById('content')?.focus({ preventScroll: true });
    if (command.question) {
      setQuestion(command.question);
      onQuestion();
    } else onClose();
    void navigate({
      to: command.to,
      search: command.search ?? {},
      ...(command.opensForm ? { state: { opensForm: true } } : {}),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPosition((commands.length + position + step) % Math.max(commands.length, 1));
    }
    if (event.key === 'Enter') run(active);
  };

  if (question) return <CommandDialog question={question} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12dvh"
      aria-label={texts.commands}
    >
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.input}
        leftSection={<Icon name="search" />}
        placeholder={searchWords[role].placeholder}
        aria-label={searchWords[role].label}
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
      <div role="listbox" id={listId} aria-label={texts.results} className={classes.list}>
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
            {texts.nothingFound}
          </div>
        )}
      </div>
    </Modal>
  );
}

function useFoundResources(role: Session['role'], text: string): Command[] {
  const keyfront = useKeyfront();
  const { minCharacters, find } = searches[role];
  const [typed] = useDebouncedValue(text, 200);
  const request = readRequest(typed);
  const { data = [] } = useQuery({
    queryKey: ['palette', request],
    enabled: request.search.length >= minCharacters,
    queryFn: ({ signal }) => find(keyfront, request, signal),
  });
  return readRequest(text).search.length >= minCharacters ? data : [];
}
