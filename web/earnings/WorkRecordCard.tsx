import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../api/client.ts';
import { downloadFile } from '../ui/downloadFile.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { SectionHeader } from '../ui/SectionHeader.tsx';

/** What a worker takes along when they leave. */
export function WorkRecordCard() {
  const download = useMutation({
    mutationFn: () => api.readWorkRecord(),
    onSuccess: ({ credential }) => downloadFile('work-record.jwt', credential, 'application/jwt'),
  });
  return (
    <section>
      <SectionHeader title="Your Record">
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          Download
        </Button>
      </SectionHeader>
      <p className="quiet">
        What you have done here, with your rating and your earnings, signed by this town. Whoever you show the file to
        can <Link to="/verify">check it</Link>.
      </p>
      {download.isError && <p role="alert">{errorMessageOf(download.error, 'The record was not made. Try again.')}</p>}
    </section>
  );
}
