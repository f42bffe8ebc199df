import type { TownStep } from '../../../contract/operator/orders.ts';
import { PhotoRead } from '../../files/Photo.tsx';
import { formatDateInText, labelOf } from '../../ui/format.ts';
import { operatorApi } from '../operatorApi.ts';
import { actReasonText } from './actTexts.ts';
import styles from './OrderPage.module.css';

/** What happened, with who did it and why; oldest first. */
export function Steps({ steps, label }: { steps: readonly TownStep[]; label: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li key={index} className={styles.step}>
          <Step step={step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ step: { at, takenAt, action, status, by, reason, words, fileIds } }: { step: TownStep }) {
  return (
    <>
      <p>
        <strong>{action === null ? labelOf(status) : titleOf(action)}</strong> · {whoOf(by)}
      </p>
      {(reason || words) && (
        <p>
          {reason && reason !== 'other' && actReasonText(reason)}
          {reason && reason !== 'other' && words && '. '}
          {words && `“${words}”`}
        </p>
      )}
      <p className="quiet">
        <time dateTime={at}>{formatDateInText(at)}</time> · {labelOf(status)}
        {takenAt && ` · done ${formatDateInText(takenAt)}, sent later`}
      </p>
      {fileIds.map((id, index) => (
        <TownPhoto key={id} id={id} alt={`Photo ${index + 1}`} />
      ))}
    </>
  );
}

/** 'cancel-by-operator' becomes 'Cancel by operator'. */
const titleOf = (action: string) => (action.charAt(0).toUpperCase() + action.slice(1)).replaceAll('-', ' ');

function whoOf({ role, name }: TownStep['by']): string {
  if (role === 'System') return 'by itself';
  return name === null ? (role ?? 'unknown') : `${name} (${role})`;
}

/** A photo of a step, read with the operator's token. */
function TownPhoto({ id, alt }: { id: string; alt: string }) {
  const read = (signal: AbortSignal) => operatorApi.readTownFile({ params: { id } }, { signal });
  return <PhotoRead id={id} alt={alt} className={styles.photo} read={read} />;
}
