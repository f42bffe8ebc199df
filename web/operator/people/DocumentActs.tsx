import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PersonAdmission, TownDocument } from '../../../contract/operator/admissions.ts';
import { type AdmissionAction, hasAdmissionRow } from '../../../domain/process/admission.ts';
import { KIND_TEXTS } from '../../documents/documentTexts.ts';
import { ActButton } from '../ActButton.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import documents from './documents.module.css';

type DocumentActsProps = { readonly id: string; readonly name: string; readonly admission: PersonAdmission };

/** What an operator can decide now about a worker's documents. */
export function DocumentActs({ id, name, admission }: DocumentActsProps) {
  const { status, shownUntil } = admission;
  const waiting = admission.documents.filter(({ state }) => state === 'waiting');
  const may = (action: AdmissionAction) => status !== null && hasAdmissionRow(action, status);
  const hasWaiting = waiting.length > 0;
  return (
    <>
      {hasWaiting && may('admit') && shownUntil !== null && (
        <AdmitButton id={id} name={name} waiting={waiting} isActive={status === 'active'} />
      )}
      {hasWaiting && may('ask-again') && <AskAgainButton id={id} name={name} waiting={waiting} />}
      {may('refuse') && <ActFormButton act="refuseWorker" name={name} params={{ id }} />}
      {may('reconsider') && <ActFormButton act="reconsiderWorker" name={name} params={{ id }} />}
    </>
  );
}

type WorkerProps = { readonly id: string; readonly name: string };
type WaitingProps = WorkerProps & { readonly waiting: readonly TownDocument[] };

/** Accepts all documents that wait; that admits a worker who does not work yet. The dialog keeps those of when it opened. */
function AdmitButton({ id, name, waiting, isActive }: WaitingProps & { readonly isActive: boolean }) {
  const [seen, setSeen] = useState(waiting);
  return (
    <ActFormButton
      act="admitWorker"
      name={name}
      params={{ id }}
      body={{ documents: waiting.map((document) => document.id) }}
      onOpen={() => setSeen(waiting)}
      {...(isActive
        ? { title: `Accept what ${name} has sent?`, button: 'Accept', done: 'The documents are accepted' }
        : {})}
    >
      <p>This accepts: {seen.map(({ kind }) => KIND_TEXTS[kind]).join(', ')}.</p>
    </ActFormButton>
  );
}

/** Sends back the documents that have a note. */
function AskAgainButton({ id, name, waiting }: WaitingProps) {
  const [whys, setWhys] = useState<Readonly<Record<string, string>>>({});
  const asked = waiting.flatMap((document) => {
    const why = whys[document.id]?.trim();
    return why ? [{ id: document.id, why }] : [];
  });
  return (
    <ActButton
      title={`What does ${name} send again?`}
      label="Ask Again…"
      button="Ask Again"
      done={`${name} is asked again`}
      isReady={asked.length > 0}
      onOpen={() => setWhys({})}
      run={(reason, idempotencyKey) =>
        operatorApi.askDocumentsAgain({ params: { id }, body: { documents: asked, reason }, idempotencyKey })
      }
    >
      <div className={documents.choices}>
        <p>Write what is wrong with a document to send it back. {name} reads it in an email.</p>
        {waiting.map((document) => (
          <Textarea
            key={document.id}
            label={KIND_TEXTS[document.kind]}
            rows={2}
            maxLength={300}
            value={whys[document.id] ?? ''}
            onChange={(event) => setWhys({ ...whys, [document.id]: event.currentTarget.value })}
          />
        ))}
      </div>
    </ActButton>
  );
}
