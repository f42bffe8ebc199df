import { type FormEvent, useState } from 'react';
import { formatPounds } from '../../domain/weighing.ts';
import { ask } from '../ui/ask.ts';
import { parsePounds } from './pounds.ts';

type Weight = { readonly grams: number; readonly fileIds: string[] };

/** What is typed into the fields of a weight, and its submit handler: a weight is sent once, so it asks first. */
export function useWeighFields(send: (weight: Weight) => void) {
  const [pounds, setPounds] = useState('');
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [attempts, setAttempts] = useState(0);
  const grams = parsePounds(pounds);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (grams === undefined || fileIds.length === 0) return;
    const question = {
      title: `Send ${formatPounds(grams)}?`,
      text: 'It cannot be changed afterwards.',
      button: 'Send',
    };
    if (await ask(question)) send({ grams, fileIds: [...fileIds] });
  };
  return {
    grams,
    submit: (event: FormEvent) => void submit(event),
    fields: { pounds, fileIds, attempts, onPounds: setPounds, onFileIds: setFileIds },
  };
}
