import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WorkerDocuments } from '../../contract/documents.ts';
import { api } from '../api.ts';
import { PhotoPicker } from '../files/PhotoPicker.tsx';
import { serverErrorsOf } from '../hooks/useForm.ts';
import { queryClient } from '../queryClient.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import styles from './Documents.module.css';
import { DOCUMENTS_KEY } from './documentsQuery.ts';
import { KIND_TEXTS } from './documentTexts.ts';

type Props = { readonly item: WorkerDocuments['items'][number]; readonly onClose: () => void };

const PROPERTIES = ['kind', 'fileIds', 'fileId', 'expiresOn'];

/** A photo of a document, and until when it is valid. */
export function SendDocument({ item: { kind, needsDate }, onClose }: Props) {
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const [expiresOn, setExpiresOn] = useState('');
  const [isTried, setTried] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const errors = serverErrorsOf(failure);
  const [fileId] = fileIds;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setFailure(undefined);
    if (isSending || fileId === undefined || (needsDate && expiresOn === '')) return;
    setSending(true);
    try {
      const answer = await api.sendDocument({ body: { kind, fileId, ...(needsDate ? { expiresOn } : {}) } });
      queryClient.setQueryData(DOCUMENTS_KEY, answer);
      toast.success('Document Sent', {
        description: answer.status === 'waiting' ? 'We look at your documents now.' : 'Nobody but us sees it.',
      });
      onClose();
    } catch (error) {
      setFailure(error);
      setSending(false);
    }
  };
  const isOther = failure !== undefined && !PROPERTIES.some((property) => errors[property]);
  return (
    <Dialog opened onClose={onClose} title={KIND_TEXTS[kind]} closeOnOverlay={false}>
      <form className={styles.form} onSubmit={send} noValidate>
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
            error={isTried && expiresOn === '' ? 'Enter the day that stands on it' : errors.expiresOn}
            onChange={(event) => setExpiresOn(event.currentTarget.value)}
          />
        )}
        {isOther && (
          <p role="alert" className={styles.problem}>
            {errorMessageOf(failure, 'It was not sent. Please try again.')}
          </p>
        )}
        <Button type="submit" size="lg" loading={isSending}>
          Send
        </Button>
      </form>
    </Dialog>
  );
}
