import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, type ActDialogProps } from './ActDialog.tsx';

type ActButtonProps = Omit<ActDialogProps, 'onClose'> & {
  /** What the button on the page says, by default what the dialog's says. */
  readonly label?: string;
  readonly variant?: ButtonProps['variant'];
  /** Called before the dialog opens, to begin with the values of now. */
  readonly onOpen?: () => void;
};

/** A button that opens the dialog of an act. */
export function ActButton({ label, variant = 'default', onOpen, ...dialog }: ActButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <Button variant={variant} onClick={open}>
        {label ?? dialog.button}
      </Button>
      {isOpen && <ActDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
