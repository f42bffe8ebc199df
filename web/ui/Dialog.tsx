import { Modal } from '@mantine/core';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { type ReactNode, useEffect, useInsertionEffect, useRef } from 'react';

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

/** So long after it has closed, whatever else takes the focus has it. */
const PAUSE_MS = 10;

/**
 * Gives the focus back to what had it before a dialog opened. Mantine's own does not when the dialog is mounted open, or unmounted
 * instead of closed. What has taken the focus meanwhile keeps it.
 */
function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<Element | null>(null);
  const timer = useRef<number>(undefined);
  // Before the effects of a field in the dialog that takes the focus.
  useInsertionEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    window.clearTimeout(timer.current);
    return () => {
      const atClose = document.activeElement;
      timer.current = window.setTimeout(() => {
        const now = document.activeElement;
        const isLeft = now === atClose && now?.closest('[role="dialog"]') !== null;
        const isFree = now === null || now === document.body || isLeft;
        if (isFree && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
      }, PAUSE_MS);
    };
  }, [isOpen]);
}
