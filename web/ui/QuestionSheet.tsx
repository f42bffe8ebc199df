import { Button } from '@mantine/core';
import type { OpenQuestion } from './ask.ts';
import { Dialog } from './Dialog.tsx';
import styles from './QuestionSheet.module.css';

type QuestionSheetProps = { readonly question: OpenQuestion; readonly onClose: () => void };

/** A question, what it leads to, and two answers. */
export function QuestionSheet({ question, onClose }: QuestionSheetProps) {
  const { title, text, button, isDestructive = false, answer } = question;
  return (
    <Dialog opened onClose={onClose} title={title} size="sm">
      <div className={styles.sheet}>
        <p>{text}</p>
        <Button size="lg" fullWidth color={isDestructive ? 'red' : 'brand'} onClick={() => answer(true)}>
          {button}
        </Button>
        <Button size="lg" fullWidth variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
