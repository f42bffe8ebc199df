import type { Order } from '../../contract/orders.ts';
import type { Weighing } from '../../contract/weighing.ts';
import { formatPounds } from '../../domain/weighing.ts';
import { Photo } from '../files/Photo.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { formatDate } from '../ui/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { ContestWeight, CorrectionAnswers } from './CorrectionAnswers.tsx';
import { useWeighing } from './useWeighing.ts';
import { WeighForm } from './WeighForm.tsx';
import styles from './Weighing.module.css';
import { decidingWeightOf, describeWeighing } from './weighingText.ts';

type WeighingCardProps = { order: Order; role: 'Bud' | 'Scrub' };

/** What the laundry weighs, what that costs, and what its reader can do about it. */
export function WeighingCard({ order, role }: WeighingCardProps) {
  const asked = useWeighing(order);
  const { data: weighing } = asked;
  if (!weighing && asked.isError)
    return (
      <section className="card" aria-label="Weight">
        <QueryError query={asked} title="Unable To Get The Weight" text="Nothing has changed." />
      </section>
    );
  const isAsked = role === 'Bud' && weighing?.correction?.state === 'asked';
  return (
    <section aria-label="Weight" className={isAsked ? `${styles.card} ${styles.asked}` : `card ${styles.card}`}>
      <h2>{isAsked ? 'Your laundry is heavier than agreed' : 'Weight'}</h2>
      {weighing ? <Content {...{ order, role, weighing }} /> : <Skeleton height={72} />}
    </section>
  );
}

function Content({ order, role, weighing }: WeighingCardProps & { weighing: Weighing }) {
  const { correction, canWeigh } = weighing;
  if (role === 'Scrub' && canWeigh)
    return (
      <>
        <p>Weigh all of the laundry as it came, with its bags. The customer pays for this weight.</p>
        <WeighForm {...{ order, weighing }} />
      </>
    );
  return (
    <>
      <p aria-live="polite">{describeWeighing(weighing, order, role)}</p>
      <Scales weighing={weighing} role={role} />
      {role === 'Bud' && correction?.state === 'asked' && <CorrectionAnswers {...{ order, weighing, correction }} />}
      {role === 'Bud' && correction && <ContestWeight {...{ order, correction }} />}
      {role === 'Scrub' && correction?.state === 'asked' && correction.answerBy && (
        <p>
          They have until <time dateTime={correction.answerBy}>{formatDate(correction.answerBy)}</time> to answer.
        </p>
      )}
      {role === 'Scrub' && correction?.isContested && (
        <p>The customer says that this weight is wrong. We look at it.</p>
      )}
    </>
  );
}

const SCALE_NAMES = { scrub: 'The Scrub’s scale', duber: 'The Duber’s scale' } as const;

/** Each weight with the photo of its display. */
function Scales({ weighing, role }: { weighing: Weighing; role: WeighingCardProps['role'] }) {
  const { weighings } = weighing;
  if (weighings.length === 0) return null;
  return (
    <>
      {decidingWeightOf(weighing)?.doScalesDisagree && (
        <p>Two scales disagree, so the lower weight counts. We look into it.</p>
      )}
      <ul className={styles.scales}>
        {weighings.map(({ scale, grams, at, fileIds }) => (
          <li key={`${scale} ${at}`}>
            <p>
              {role === 'Scrub' && scale === 'scrub' ? 'Your scale' : SCALE_NAMES[scale]}:{' '}
              <strong>{formatPounds(grams)}</strong>, <time dateTime={at}>{formatDate(at)}</time>
            </p>
            {fileIds.map((id) => (
              <Photo key={id} id={id} alt={`The scale shows ${formatPounds(grams)}`} className={styles.photo} />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
