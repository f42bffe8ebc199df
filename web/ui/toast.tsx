import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useCanHover, useHasOneToast } from '../hooks/breakpoints.ts';
import { Icon, type IconName } from './icons.tsx';
import styles from './toast.module.css';
import {
  dismissToast,
  getToasts,
  showToast,
  subscribeToToasts,
  type Toast,
  type ToastKind,
  type ToastOptions,
} from './toastStore.ts';

const createToastFunction = (kind: ToastKind) => (title: string, options?: ToastOptions) =>
  showToast(kind, title, options);

/** toast.success('Order Completed!', { description: '…' }) shows a toast and returns its id for toast.dismiss. */
export const toast = {
  success: createToastFunction('success'),
  error: createToastFunction('error'),
  warning: createToastFunction('warning'),
  info: createToastFunction('info'),
  loading: createToastFunction('loading'),
  dismiss: dismissToast,
} as const;

const ICONS: Record<Exclude<ToastKind, 'loading'>, IconName> = {
  success: 'check',
  error: 'alert',
  warning: 'alert',
  info: 'info',
};

/** Renders the toasts. Mounted once, in main.tsx. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts, getToasts);
  const hasOne = useHasOneToast();
  return (
    <section className={styles.region} aria-label="Notifications">
      {toasts.map((item, n) => (
        <ToastCard key={item.id} toast={item} isBehind={hasOne && n < toasts.length - 1} />
      ))}
    </section>
  );
}

/** Dismisses a toast when its time is up. The countdown stops while `isPaused`. */
function useCountdown({ id, duration }: Toast, isPaused: boolean): void {
  const remaining = useRef(duration);
  useEffect(() => {
    if (duration === 0 || isPaused) return;
    const startedAt = performance.now();
    const timer = setTimeout(() => dismissToast(id), remaining.current);
    return () => {
      clearTimeout(timer);
      remaining.current -= performance.now() - startedAt;
    };
  }, [id, duration, isPaused]);
}

/** A toast that is `isBehind` a newer one is not seen, and waits until it is. */
function ToastCard({ toast: item, isBehind }: { toast: Toast; isBehind: boolean }) {
  const canHover = useCanHover();
  const [isUnderPointer, setUnderPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  useCountdown(item, (canHover && isUnderPointer) || hasFocus || isBehind);
  const className = [styles.toast, styles[item.kind], item.isLeaving ? styles.leaving : ''].join(' ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the countdown
    <div
      className={className}
      role={item.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setUnderPointer(true)}
      onMouseLeave={() => setUnderPointer(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <span className={styles.icon}>
        {item.kind === 'loading' ? <span className={styles.spin} /> : <Icon name={ICONS[item.kind]} />}
      </span>
      <div>
        <p className={styles.title}>{item.title}</p>
        {item.description && <p className={styles.description}>{item.description}</p>}
        {item.action && <ToastAction toastId={item.id} action={item.action} />}
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label="Close notification"
        onClick={() => dismissToast(item.id)}
      >
        <Icon name="cross" size={16} />
      </button>
    </div>
  );
}

function ToastAction({ toastId, action }: { toastId: number; action: NonNullable<ToastOptions['action']> }) {
  const handleClick = () => {
    action.onClick();
    dismissToast(toastId);
  };
  return (
    <button type="button" className={styles.action} onClick={handleClick}>
      {action.label}
    </button>
  );
}
