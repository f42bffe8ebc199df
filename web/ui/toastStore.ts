export type ToastKind = 'success' | 'error' | 'warning' | 'info' | 'loading';
export type ToastOptions = {
  readonly description?: string;
  /** Milliseconds. 0 stays until dismissed. */
  readonly duration?: number;
  readonly action?: { readonly label: string; readonly onClick: () => void };
};
export type Toast = ToastOptions & {
  readonly id: number;
  readonly kind: ToastKind;
  readonly title: string;
  readonly duration: number;
  readonly isLeaving: boolean;
};

const DURATION_MS = 5000; // spec 9
const EXIT_MS = 300; // spec 9
const MAX_TOASTS = 5; // spec 9

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const notify of listeners) notify();
}

export function subscribeToToasts(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export function getToasts(): readonly Toast[] {
  return toasts;
}

/** Shows a toast and returns its id. Removes the oldest toast when there are already five. */
export function showToast(kind: ToastKind, title: string, options: ToastOptions = {}): number {
  lastId += 1;
  const duration = options.duration ?? (kind === 'loading' ? 0 : DURATION_MS);
  const added: Toast = { ...options, id: lastId, kind, title, duration, isLeaving: false };
  const current = toasts.filter((toast) => !toast.isLeaving);
  setToasts([...current.slice(Math.max(0, current.length - MAX_TOASTS + 1)), added]);
  return added.id;
}

/** Plays a toast's exit animation, then removes it. */
export function dismissToast(id: number): void {
  if (!toasts.some((toast) => toast.id === id && !toast.isLeaving)) return;
  setToasts(toasts.map((toast) => (toast.id === id ? { ...toast, isLeaving: true } : toast)));
  setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), EXIT_MS);
}
