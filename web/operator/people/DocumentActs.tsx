import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PersonAdmission, TownDocument } from '../../../contract/operator/admissions.ts';
import { type AdmissionAction, hasAdmissionRow } from '../../../domain/process/admission.ts';
import { KIND_TEXTS } from '../../documents/documentTexts.ts';
import { ActButton } from '../ActButton.tsx';
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
      {may('refuse') && <RefuseButton id={id} name={name} />}
      {may('reconsider') && <ReconsiderButton id={id} name={name} />}
    </>
  );
}

type WorkerProps = { readonly id: string; readonly name: string };
type WaitingProps = WorkerProps & { readonly waiting: readonly TownDocument[] };

/** Accepts all documents that wait; that admits a worker who does not work yet. */
function AdmitButton({ id, name, waiting, isActive }: WaitingProps & { readonly isActive: boolean }) {
  // The documents when the dialog opened, without those that arrived later.
  const [seen, setSeen] = useState<readonly TownDocument[]>([]);
  return (
    <ActButton
      title={isActive ? `Accept what ${name} has sent?` : `Admit ${name}?`}
      label={isActive ? 'Accept' : 'Admit'}
      button={isActive ? 'Accept' : 'Admit'}
      variant="filled"
      onOpen={() => setSeen(waiting)}
      done={isActive ? 'The documents are accepted' : `${name} gets work now`}
      run={(reason, idempotencyKey) => {
        const body = { documents: seen.map((document) => document.id), reason };
        return operatorApi.admitWorker({ params: { id }, body, idempotencyKey });
      }}
    >
      <p>This accepts: {seen.map(({ kind }) => KIND_TEXTS[kind]).join(', ')}.</p>
    </ActButton>
  );
}

function RefuseButton({ id, name }: WorkerProps) {
  return (
    <ActButton
      title={`Refuse ${name}?`}
      label="Refuse…"
      button="Refuse"
      done={`${name} is refused`}
      isDestructive
      reasonLabel={`Why? ${name} reads it in an email`}
      run={(reason, idempotencyKey) => operatorApi.refuseWorker({ params: { id }, body: { reason }, idempotencyKey })}
    >
      <p>{name} gets no work. The documents are erased after 30 days.</p>
    </ActButton>
  );
}

function ReconsiderButton({ id, name }: WorkerProps) {
  return (
    <ActButton
      title={`Think again about ${name}?`}
      label="Think Again"
      button="Ask for Documents"
      done={`${name} can send documents again`}
      run={(reason, idempotencyKey) =>
        operatorApi.reconsiderWorker({ params: { id }, body: { reason }, idempotencyKey })
      }
    >
      <p>{name} can send documents again, and reads so in an email.</p>
    </ActButton>
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
