/** A question before something that cannot be undone. */
export type Question = {
  readonly title: string;
  /** What it leads to. */
  readonly text: string;
  readonly button: string;
  readonly isDestructive?: boolean;
};
export type OpenQuestion = Question & { readonly answer: (isAgreed: boolean) => void };

let open: OpenQuestion | undefined;
const listeners = new Set<() => void>();

function show(question: OpenQuestion | undefined): void {
  open = question;
  for (const notify of listeners) notify();
}

export function subscribeToQuestion(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

export const openQuestion = (): OpenQuestion | undefined => open;

/** Asks in a sheet of ours and waits for the answer. The spec's own confirms stay those of the browser. A new question takes the place of an open one. */
export function ask(question: Question): Promise<boolean> {
  open?.answer(false);
  return new Promise((resolve) => {
    show({
      ...question,
      answer: (isAgreed) => {
        show(undefined);
        resolve(isAgreed);
      },
    });
  });
}
