import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WorkerDocuments } from '../../contract/documents.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { PhotoPicker } from '../files/PhotoPicker.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { problemOf, serverErrorsOf } from '../ui/useForm.ts';
import styles from './Documents.module.css';
import { DOCUMENTS_KEY } from './documentsQuery.ts';
import { KIND_TEXTS } from './documentTexts.ts';

type SendDocumentProps = { readonly item: WorkerDocuments['items'][number]; readonly onClose: () => void };

/** A photo of a document, and until when it is valid. */
export function SendDocument({ item: { kind, needsDate }, onClose }: SendDocumentProps) {
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [expiresOn, setExpiresOn] = useState('');
  const [isTried, setTried] = useState(false);
  const { send, isSending, errors, problem, forget } = useSending(
    onClose,
    needsDate ? ['kind', 'fileIds', 'expiresOn'] : ['kind', 'fileIds'],
  );
  const [fileId] = fileIds;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    forget();
    if (fileId === undefined || (needsDate && expiresOn === '')) return;
    void send({ kind, fileId, ...(needsDate ? { expiresOn } : {}) });
  };
  return (
    <Dialog opened onClose={onClose} title={KIND_TEXTS[kind]} closeOnOverlay={false}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <PhotoPicker
          label="Photo of the whole page, so that every word can be read"
          value={fileIds}
          onChange={setFileIds}
          max={1}
          error={isTried && fileId === undefined ? 'Please take a photo' : (errors.fileIds ?? errors.kind)}
        />
        {needsDate && (
          <TextInput
            label="Last day on which it is valid"
            name="expiresOn"
            type="date"
            value={expiresOn}
            error={isTried && expiresOn === '' ? 'Enter the date on the document' : errors.expiresOn}
            onChange={(event) => setExpiresOn(event.currentTarget.value)}
          />
        )}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <Button type="submit" size="lg" loading={isSending}>
          Send
        </Button>
      </form>
    </Dialog>
  );
}

/** Sends the document, and says what has gone wrong: `errors` by field, or `problem` for none of them. */
function useSending(onSent: () => void, fields: readonly string[]) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const send = async (body: Parameters<typeof api.sendDocument>[0]['body']) => {
    if (isSending) return;
    setSending(true);
    try {
      const answer = await api.sendDocument({ body });
      queryClient.setQueryData(DOCUMENTS_KEY, answer);
      toast.success('Document Sent', {
        description: answer.status === 'waiting' ? 'We look at your documents now.' : 'Nobody but us sees it.',
      });
      onSent();
    } catch (error) {
      setFailure(error);
      setSending(false);
    }
  };
  const errors = serverErrorsOf(failure);
  const problem = problemOf(failure, fields, 'It was not sent. Please try again.');
  return { send, isSending, errors, problem, forget: () => setFailure(undefined) };
}
