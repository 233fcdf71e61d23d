import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog in the middle of the page, which gives the focus back. */
export function Modal(props: ModalProps) {
  useReturnFocus(props.opened);
  return <MantineModal returnFocus={false} {...props} />;
}
