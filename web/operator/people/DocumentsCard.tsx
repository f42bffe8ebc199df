import { useQuery } from '@tanstack/react-query';
import type { PersonAdmission, TownDocument } from '../../../contract/operator/admissions.ts';
import type { Person } from '../../../contract/operator/people.ts';
import type { AdmissionStatus, DocumentState } from '../../../domain/admissions.ts';
import { dayText, KIND_TEXTS } from '../../documents/documentTexts.ts';
import { PhotoRead } from '../../files/Photo.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { firstNameOf } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';
import { useTownTime } from '../useTownDay.ts';
import { DocumentActs } from './DocumentActs.tsx';
import documents from './documents.module.css';
import styles from './people.module.css';

const ADMISSION_TEXTS: Record<AdmissionStatus, string> = {
  new: 'Has not sent everything',
  waiting: 'Waits for you',
  asked: 'Was asked again',
  active: 'Admitted',
  lapsed: 'Something has expired or is missing',
  refused: 'Refused',
};

const DOCUMENT_TEXTS: Record<DocumentState, string> = {
  waiting: 'To be looked at',
  accepted: 'Accepted',
  'asked-again': 'Asked for again',
  refused: 'Refused',
  expired: 'Expired',
  replaced: 'Replaced',
};

/** A worker's documents, and the decisions about them. Nothing where none are required. */
export function DocumentsCard({ person, mayDecide }: { person: Person; mayDecide: boolean }) {
  const { id } = person;
  const townTime = useTownTime();
  const admission = useQuery({
    queryKey: ['admission', id],
    queryFn: () => operatorApi.readAdmission({ params: { id } }),
    enabled: person.role !== 'Bud',
    refetchInterval: 15_000,
  });
  if (admission.isError) return <QueryError query={admission} title="The documents did not load" />;
  const { data } = admission;
  if (!data || (!data.isAsked && data.documents.length === 0)) return null;
  return (
    <section className={`${sections.card} ${styles.wide}`} aria-label="Documents">
      <SectionHeader title="Documents" />
      <p>{stateOf(data, townTime)}</p>
      <ul className={styles.rows}>
        {data.documents.map((document) => (
          <DocumentRow key={document.id} personId={id} document={document} isShown={data.shownUntil !== null} />
        ))}
      </ul>
      {missingOf(data) && <p className="quiet">Missing: {missingOf(data)}</p>}
      {mayDecide && data.isAsked && (
        <div className={styles.buttons}>
          {data.documents.some(({ isKept }) => isKept) && data.shownUntil === null && <ShowButton id={id} />}
          <DocumentActs id={id} name={firstNameOf(person.fullname)} admission={data} />
        </div>
      )}
    </section>
  );
}

function stateOf({ status, since, worksUntil }: PersonAdmission, townTime: (iso: string) => string): string {
  const words = ADMISSION_TEXTS[status ?? 'new'];
  const from = since ? ` since ${townTime(since)}` : '';
  return `${words}${from}${worksUntil ? `. Gets work until ${townTime(worksUntil)}` : ''}`;
}

const missingOf = ({ requirements, documents: sent }: PersonAdmission): string =>
  requirements
    .filter(({ needed, kind }) => needed && !sent.some((one) => one.kind === kind && COUNTS.includes(one.state)))
    .map(({ kind }) => KIND_TEXTS[kind])
    .join(', ');

const COUNTS: readonly TownDocument['state'][] = ['waiting', 'accepted'];

type RowProps = { readonly personId: string; readonly document: TownDocument; readonly isShown: boolean };

function DocumentRow({ personId, document, isShown }: RowProps) {
  const { id, kind, state, expiresOn, lastDay, sentAt, decidedBy, why, isKept } = document;
  const read = (signal: AbortSignal) =>
    operatorApi.readDocumentPhoto({ params: { id: personId, documentId: id } }, { signal });
  const until = lastDay ?? expiresOn;
  const townTime = useTownTime();
  return (
    <li>
      <div className={styles.line}>
        <strong>{KIND_TEXTS[kind]}</strong>
        <span>{DOCUMENT_TEXTS[state]}</span>
      </div>
      <p className="quiet">
        Sent {townTime(sentAt)}
        {until && `, valid until ${dayText(until)}`}
        {decidedBy && `, by ${decidedBy}`}
      </p>
      {why && <p>“{why}”</p>}
      {isShown && isKept && (
        <PhotoRead
          id={`document ${id}`}
          alt={`${KIND_TEXTS[kind]}, ${DOCUMENT_TEXTS[state]}`}
          className={documents.photo}
          read={read}
        />
      )}
    </li>
  );
}

const ShowButton = ({ id }: { id: string }) => (
  <ActButton
    title="Look at the documents?"
    button="Look at Documents"
    done="You can look at them for 15 minutes"
    run={(reason, idempotencyKey) => operatorApi.showDocuments({ params: { id }, body: { reason }, idempotencyKey })}
  />
);
