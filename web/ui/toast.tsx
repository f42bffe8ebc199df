import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
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

/** toast.success('Order Completed!', { description: '…' }); each gives the toast's id for toast.dismiss. */
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

/** Where the toasts appear; the app has one. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts, getToasts);
  return (
    <section className={styles.region} aria-label="Notifications">
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </section>
  );
}

/** Counts a toast's time down, but not while `isPaused`. */
function useCountdown({ id, duration }: Toast, isPaused: boolean): void {
  const left = useRef(duration);
  useEffect(() => {
    if (duration === 0 || isPaused) return;
    const since = performance.now();
    const timer = setTimeout(() => dismissToast(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [id, duration, isPaused]);
}

function ToastCard({ toast: one }: { toast: Toast }) {
  const [isPaused, setPaused] = useState(false);
  useCountdown(one, isPaused);
  const looks = [styles.toast, styles[one.kind], one.isLeaving ? styles.leaving : ''].join(' ');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pausing on hover adds nothing that a keyboard lacks
    <div
      className={looks}
      role={one.kind === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <span className={styles.icon}>
        {one.kind === 'loading' ? <span className={styles.spin} /> : <Icon name={ICONS[one.kind]} />}
      </span>
      <div>
        <p className={styles.title}>{one.title}</p>
        {one.description && <p className={styles.description}>{one.description}</p>}
        {one.action && <ToastAction toast={one} action={one.action} />}
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label="Close notification"
        onClick={() => dismissToast(one.id)}
      >
        <Icon name="cross" size={16} />
      </button>
    </div>
  );
}

function ToastAction({ toast: one, action }: { toast: Toast; action: NonNullable<ToastOptions['action']> }) {
  const act = () => {
    action.onClick();
    dismissToast(one.id);
  };
  return (
    <button type="button" className={styles.action} onClick={act}>
      {action.label}
    </button>
  );
}
