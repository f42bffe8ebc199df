export type ToastKind = 'success' | 'error' | 'warning' | 'info' | 'loading';
export type ToastOptions = {
  readonly description?: string;
  /** Milliseconds; 0 stays until it is closed. */
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

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  shown = next;
  for (const tell of listeners) tell();
}

export function subscribeToToasts(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export function getToasts(): readonly Toast[] {
  return shown;
}

/** Shows a toast and gives its id; the oldest make room when more than five would show. */
export function showToast(kind: ToastKind, title: string, options: ToastOptions = {}): number {
  lastId += 1;
  const duration = options.duration ?? (kind === 'loading' ? 0 : DURATION_MS);
  const arrived: Toast = { ...options, id: lastId, kind, title, duration, isLeaving: false };
  const staying = shown.filter((toast) => !toast.isLeaving);
  setToasts([...staying.slice(Math.max(0, staying.length - MAX_TOASTS + 1)), arrived]);
  return arrived.id;
}

/** Lets a toast go, with its exit animation. */
export function dismissToast(id: number): void {
  if (!shown.some((toast) => toast.id === id && !toast.isLeaving)) return;
  setToasts(shown.map((toast) => (toast.id === id ? { ...toast, isLeaving: true } : toast)));
  setTimeout(() => setToasts(shown.filter((toast) => toast.id !== id)), EXIT_MS);
}
