import { useSyncExternalStore } from 'react';
import { openQuestion, subscribeToQuestion } from './ask.ts';
import { lazyPart } from './lazyPart.tsx';

const QuestionSheet = lazyPart('The question', async () => (await import('./QuestionSheet.tsx')).QuestionSheet, {
  failure: 'toast',
});

/** Renders the question that is open. Mounted once, in main.tsx. */
export function Questions() {
  const question = useSyncExternalStore(subscribeToQuestion, openQuestion, openQuestion);
  return question ? <QuestionSheet question={question} onClose={() => question.answer(false)} /> : null;
}
