import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { downloadFile } from '../../ui/downloadFile.ts';
import { toast } from '../../ui/toast.tsx';
import styles from '../ActForm.module.css';
import { operatorApi } from '../operatorApi.ts';
import { passkeyMessageOf } from '../passkeys.ts';
import { StepUpFields } from '../StepUpFields.tsx';
import { type SecondFactor, useStepUp } from '../useStepUp.ts';

/** Downloads what workers were paid in a year. The file has tax numbers, so it takes a new second factor when the last one is old. */
export function WorkersDownload({ year }: { year: number }) {
  const stepUp = useStepUp();
  const [isSending, setSending] = useState(false);

  const download = async (by: SecondFactor) => {
    if (isSending) return;
    setSending(true);
    try {
      await stepUp.confirm(by);
      const { name, text } = await operatorApi.readTaxWorkers({ query: { year: String(year) } });
      downloadFile(name, text);
    } catch (error) {
      if (!stepUp.isNeededBy(error)) toast.error(passkeyMessageOf(error, 'The file did not load. Please try again.'));
    } finally {
      setSending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void download('code');
  };
  return (
    <>
      <Button variant="default" onClick={() => void download('code')}>
        Download What Workers Were Paid
      </Button>
      <Dialog opened={stepUp.isAsked} onClose={stepUp.cancel} title={`What each worker was paid in ${year}`}>
        <form className={styles.form} onSubmit={submit} noValidate>
          <p>The file has tax numbers. Confirm that it is you.</p>
          <StepUpFields stepUp={stepUp} isSending={isSending} onUsePasskey={() => void download('passkey')} />
          <Button type="submit" size="lg" loading={isSending}>
            Download
          </Button>
        </form>
      </Dialog>
    </>
  );
}
