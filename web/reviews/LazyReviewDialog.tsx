import { type ComponentProps, useEffect, useState } from 'react';
import { lazyPart } from '../ui/lazyPart.tsx';
import type { ReviewDialog } from './ReviewDialog.tsx';

type DialogProps = ComponentProps<typeof ReviewDialog>;

const loadDialog = async () => (await import('./ReviewDialog.tsx')).ReviewDialog;

/** Mounted closed once it has loaded: a dialog returns the focus at its end to what had it when it went from closed to open. */
const OpenedOnceMounted = lazyPart(
  'The form',
  async () => {
    const Dialog = await loadDialog();
    return (props: DialogProps) => {
      const [isMounted, setMounted] = useState(false);
      useEffect(() => setMounted(true), []);
      return <Dialog {...props} opened={props.opened && isMounted} />;
    };
  },
  { failure: 'toast' },
);

/** Loads the dialog before it is opened, when somebody is about to. A failure shows when they do. */
export const preloadReviewDialog = (): void => void loadDialog().catch(() => undefined);

/** The dialog with its schema, which most visits of the page do not need. It opens as soon as it has loaded. */
export function LazyReviewDialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (props.opened) setWasOpened(true);
  }, [props.opened]);
  return wasOpened && <OpenedOnceMounted {...props} />;
}
