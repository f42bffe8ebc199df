import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActDialog, type ActDialogProps } from './ActDialog.tsx';

type ActButtonProps = Omit<ActDialogProps, 'onClose'> & {
  /** The label of the button; by default that of the dialog's button. */
  readonly label?: string;
  readonly variant?: ButtonProps['variant'] | undefined;
  /** What opens the dialog, instead of a button. */
  readonly trigger?: ((open: () => void) => ReactNode) | undefined;
  /** Called before the dialog opens, to start with the present values. */
  readonly onOpen?: () => void;
};

/** A button that opens the dialog of an act. */
export function ActButton({ label, variant = 'default', trigger, onOpen, ...dialog }: ActButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      {trigger ? (
        trigger(open)
      ) : (
        <Button variant={variant} onClick={open}>
          {label ?? dialog.button}
        </Button>
      )}
      {isOpen && <ActDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
