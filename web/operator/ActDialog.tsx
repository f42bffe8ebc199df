import { Dialog, type DialogSize } from '../ui/Dialog.tsx';
import { ActForm, type ActFormProps } from './ActForm.tsx';

export type ActDialogProps = ActFormProps & {
  readonly title: string;
  readonly size?: DialogSize;
  readonly onClose: () => void;
};

/** The form of an act in a dialog, which closes when it is done. */
export function ActDialog({ title, size = 'md', onClose, onDone, ...form }: ActDialogProps) {
  const finish = () => {
    onDone?.();
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={title} size={size} closeOnOverlay={false}>
      <ActForm {...form} onDone={finish} />
    </Dialog>
  );
}
