import { Button, FileButton, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WORK_RECORD_MAXIMUM, type WorkRecord } from '../../domain/workRecord.ts';
import { api } from '../api/client.ts';
import { AuthPage } from '../ui/AuthPage.tsx';
import { DescriptionItem, DescriptionList } from '../ui/DescriptionList.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { Fold } from '../ui/Fold.tsx';
import { formatDay, formatMoney } from '../ui/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { type CheckedRecord, checkRecord } from './checkRecord.ts';
import styles from './VerifyPage.module.css';

/** Where anybody checks the record that a worker has taken along. */
export function VerifyPage() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const issuer = useQuery({
    queryKey: ['record-issuer'],
    queryFn: ({ signal }) => api.readRecordIssuer(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const checked = useQuery({
    queryKey: ['checked-record', text, issuer.data?.id],
    queryFn: () => (issuer.data ? checkRecord(text, issuer.data) : null),
    enabled: issuer.data !== undefined && text.trim() !== '',
    networkMode: 'always',
  });
  const isAsked = text.trim() !== '' && !issuer.isError;
  const change = (next: string) => {
    setText(next);
    setProblem(undefined);
  };
  const readFile = async (file: File | null) => {
    if (!file) return;
    if (file.size > WORK_RECORD_MAXIMUM) return setProblem('This file is too large to be a work record');
    change(await file.text());
  };
  return (
    <AuthPage
      title="Check a Work Record"
      line="Somebody has shown you what they did here as a Scrub or a Duber? See whether it is genuine."
    >
      <div className={styles.ask}>
        <FileButton onChange={(file) => void readFile(file)} accept=".jwt,text/plain,application/jwt">
          {(props) => <Button {...props}>Choose the File</Button>}
        </FileButton>
        <Textarea
          label="Or Paste Its Text"
          description="Your browser checks the record: nothing of it is sent."
          rows={3}
          spellCheck={false}
          autoComplete="off"
          translate="no"
          value={text}
          error={problem}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </div>
      {issuer.isError && <QueryError query={issuer} title="The key of this town did not load" />}
      <div role="status" aria-label="Result" className={isAsked ? styles.result : undefined}>
        {isAsked && (checked.data ? <Result checked={checked.data} /> : <Skeleton height={60} />)}
      </div>
    </AuthPage>
  );
}

function Result({ checked }: { checked: CheckedRecord }) {
  if (checked.is === 'genuine') return <GenuineRecord {...checked} />;
  if (checked.is === 'of-another-town')
    return (
      <>
        <h2>Another Town</h2>
        <p>
          This record says that another town has signed it. Only that town can say whether that is true:{' '}
          <a href={checked.page} rel="noreferrer">
            {checked.page}
          </a>
        </p>
      </>
    );
  const { title, words } = PROBLEMS[checked.is];
  return (
    <>
      <h2 className={styles.problem}>{title}</h2>
      <p>{words}</p>
    </>
  );
}

const PROBLEMS = {
  changed: { title: 'Not Genuine', words: 'This town has not signed this text. Somebody has changed the record.' },
  'no-record': { title: 'No Work Record', words: 'This is not the text of a work record. Take all of the file.' },
  'not-checkable': {
    title: 'Not Checked',
    words: 'Your browser cannot check signatures of this kind. Update it first.',
  },
} as const;

function GenuineRecord({ record, signedAt }: { record: WorkRecord; signedAt: string }) {
  const { name, role, since, finished, ratings, earned, weeks } = record;
  return (
    <>
      <h2>Genuine</h2>
      <p>This town signed the record on {formatDay(signedAt)}, and nobody has changed it since.</p>
      <DescriptionList>
        <DescriptionItem name="Name">{name}</DescriptionItem>
        <DescriptionItem name="Role">{role}</DescriptionItem>
        <DescriptionItem name="Here Since">{formatDay(since)}</DescriptionItem>
        <DescriptionItem name={role === 'Scrub' ? 'Completed Orders' : 'Finished Deliveries'}>
          {String(finished)}
        </DescriptionItem>
        <DescriptionItem name="Rating">
          {ratings.average === null ? 'None yet' : `${ratings.average.toFixed(1)} from ${ratings.count} reviews`}
        </DescriptionItem>
        <DescriptionItem name="Earned">{formatMoney(earned)}</DescriptionItem>
      </DescriptionList>
      {weeks.length > 0 && (
        <Fold title="Earnings by Week" looks="row">
          <DescriptionList>
            {weeks.map((week) => (
              <DescriptionItem key={week.from} name={`Week of ${formatDay(week.from)}`}>
                {formatMoney(week.earned)}
              </DescriptionItem>
            ))}
          </DescriptionList>
        </Fold>
      )}
    </>
  );
}
