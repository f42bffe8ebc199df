import { type ComponentProps, useEffect, useState } from 'react';
import { lazyPart } from '../ui/lazyPart.tsx';
import type { ReviewDialog } from './ReviewDialog.tsx';

const loadDialog = async () => (await import('./ReviewDialog.tsx')).ReviewDialog;

const LoadedDialog = lazyPart('The form', loadDialog, { failure: 'toast' });

/** Loads the dialog before it is opened, when somebody is about to. A failure shows when they do. */
export const preloadReviewDialog = (): void => void loadDialog().catch(() => undefined);

/** The dialog with its schema, which most visits of the page do not need. It opens as soon as it has loaded. */
export function LazyReviewDialog(props: ComponentProps<typeof ReviewDialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (props.opened) setWasOpened(true);
  }, [props.opened]);
  return wasOpened && <LoadedDialog {...props} />;
}
