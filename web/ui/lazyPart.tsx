import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useEffect } from 'react';
import styles from './lazyPart.module.css';
import { toast } from './toast.tsx';

type LazyPartOptions = {
  /** Shown while it loads. */
  readonly fallback?: ReactNode;
  /**
   * Where a failure shows: in the place of the part, in a toast when it has none, as a dialog and work in the background, or
   * nowhere when people can do without it.
   */
  readonly failure?: 'inPlace' | 'toast' | 'nowhere';
};

/**
 * A part of a page whose code loads when it is first shown. When that fails, the rest of the page keeps working. Only a reload
 * tries again, because Chromium remembers failed imports. `name` begins the sentence "The map did not load."
 */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  { fallback = null, failure = 'inPlace' }: LazyPartOptions = {},
): (props: Props) => ReactNode {
  const failures = {
    inPlace: () => <FailedPart name={name} />,
    toast: createFailureToast(name),
    nowhere: () => null,
  };
  const loadOrFail = () =>
    load().catch((error: unknown): ComponentType<Props> => {
      console.error(`${name} did not load`, error);
      return failures[failure];
    });
  const Part = lazy(async () => ({ default: await loadOrFail() }));
  return (props) => <Suspense fallback={fallback}>{createElement(Part, props)}</Suspense>;
}

const reload = () => window.location.reload();
const BUTTON = 'Reload the Page';

function FailedPart({ name }: { name: string }) {
  return (
    <span className={styles.failed} role="alert">
      {name} did not load.
      <button type="button" className={styles.reload} onClick={reload}>
        {BUTTON}
      </button>
    </span>
  );
}

type DialogProps = { readonly opened?: boolean; readonly onClose?: () => void };

/** A dialog that did not load closes again, so that its button shows the toast again. */
function createFailureToast(name: string) {
  let shown: ReturnType<typeof toast.error> | undefined;
  return function FailureToast({ opened = true, onClose }: DialogProps) {
    useEffect(() => {
      if (!opened) return;
      if (shown !== undefined) toast.dismiss(shown);
      shown = toast.error(`${name} did not load`, { duration: 0, action: { label: BUTTON, onClick: reload } });
      onClose?.();
    }, [opened, onClose]);
    return null;
  };
}
