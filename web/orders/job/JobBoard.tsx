import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useConfig } from '../../api/config.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { PersonName } from '../../ui/PersonName.tsx';
import { OrderTimes } from '../OrderTimes.tsx';
import type { BoardJob } from '../queries.ts';
import { BLOCK_HINTS } from '../stepHints.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrder } from '../useOrder.ts';
import { BOARD_COLUMNS, columnOf, describeJob } from './board.ts';
import styles from './JobBoard.module.css';
import { JobDue } from './JobDue.tsx';
import { type SteppedJob, useJobStep } from './useJobStep.ts';

/** What a Scrub has to do now, by stage, with the next step on each card. Nothing without a job. */
export function JobBoard({ jobs }: { jobs: readonly BoardJob[] }) {
  const columns = BOARD_COLUMNS.map((name) => ({ name, jobs: jobs.filter((job) => columnOf(job) === name) }));
  if (columns.every((column) => column.jobs.length === 0)) return null;
  return (
    <div className={styles.board}>
      {columns.map((column) => (
        <section
          key={column.name}
          className={styles.column}
          aria-label={column.name}
          data-empty={column.jobs.length === 0 || undefined}
        >
          <h2 className={styles.title}>
            {column.name} <span className={styles.count}>{column.jobs.length}</span>
          </h2>
          <ul className={styles.jobs}>
            {column.jobs.map((job) => (
              <JobCard key={job.id} job={job} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function JobCard({ job }: { job: BoardJob }) {
  const words = describeJob(job);
  return (
    <li className={styles.job}>
      <p className={styles.top}>
        <Link to={`/scrub/jobs/${job.id}`}>
          {job.number} <PersonName name={job.bud.fullname} />
        </Link>
        <strong>{formatMoney(job.scrubEarning)}</strong>
      </p>
      <p className="quiet">{loadSizeLabel(job.loadSize)}</p>
      {job.orderInstructions && <p className={styles.instructions}>“{job.orderInstructions}”</p>}
      {words && <p>{words}</p>}
      <OrderTimes order={job} />
      <JobDue job={job} />
      <CardStep job={job} />
    </li>
  );
}

/** What a town that weighs needs to know of a job is said by the whole of it only. */
function CardStep({ job }: { job: BoardJob }) {
  const mayBeWeighed = useConfig()?.weighsLaundry === true && job.status === 'In_Progress';
  if (columnOf(job) === 'Arriving' && !job.selfDelivery) return null;
  return mayBeWeighed ? <WeighedStep id={job.id} /> : <JobButtons job={job} />;
}

function WeighedStep({ id }: { id: string }) {
  const { data: order } = useOrder(id);
  return order ? <JobButtons job={order} /> : null;
}

function JobButtons({ job }: { job: SteppedJob }) {
  const { next, ending, block, wait, take, isTaking } = useJobStep(job);
  if (next === undefined) return null;
  if (block === 'weigh-first')
    return (
      <Button component={Link} to={`/scrub/jobs/${job.id}`}>
        Weigh the Laundry
      </Button>
    );
  const why = block ? BLOCK_HINTS[block] : wait;
  if (why !== undefined) return <p className="quiet">{why}</p>;
  return (
    <div className={styles.steps}>
      <Button aria-busy={isTaking} {...getSinglePressProps(() => take(next))}>
        {STEP_TEXTS[next].button}
      </Button>
      {ending.map((action) => (
        <Button key={action} variant="subtle" color="red" {...getSinglePressProps(() => take(action))}>
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    </div>
  );
}
