import { Modal } from '@mantine/core';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import type { ReactNode } from 'react';
import { useFocusReturn } from './useFocusReturn.ts';

export type DialogSize = 'sm' | 'md' | 'lg' | 'xl' | 'full';

const WIDTHS: Record<Exclude<DialogSize, 'full'>, number> = { sm: 400, md: 520, lg: 680, xl: 880 };

/** A modal dialog (spec 2.11). Escape and a click on the overlay close it by default. The focus returns to what opened it. */
export function Dialog({
  opened,
  onClose,
  title,
  label,
  size = 'md',
  closeOnEscape = true,
  closeOnOverlay = true,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  title?: string;
  /** The accessible name of a dialog without a title. */
  label?: string;
  size?: DialogSize;
  closeOnEscape?: boolean;
  closeOnOverlay?: boolean;
  children: ReactNode;
}) {
  useFocusReturn(opened);
  const isFull = size === 'full';
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      fullScreen={isFull}
      radius={isFull ? 0 : 'lg'}
      {...(isFull ? {} : { size: WIDTHS[size], centered: true })}
      zIndex={50} // spec 9
      closeOnEscape={closeOnEscape}
      closeOnClickOutside={closeOnOverlay}
      transitionProps={{ duration: 180, transition: isFull ? 'fade' : 'pop' }}
      padding="lg"
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content {...(title === undefined && label !== undefined ? { 'aria-label': label } : {})}>
        {/* Without a role it would be a second banner landmark. */}
        <Modal.Header role="presentation">
          {title && <Modal.Title>{title}</Modal.Title>}
          <Modal.CloseButton aria-label="Close dialog" size={44} iconSize={20} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
