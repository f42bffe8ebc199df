import { NativeSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TownWindows } from '../../../contract/operator/windows.ts';
import type { Hours } from '../../../domain/hours.ts';
import { CREDIT_BEARERS, type CreditBearer } from '../../../domain/promises.ts';
import { TURNAROUNDS, type Turnaround, WINDOW_KINDS } from '../../../domain/windows.ts';
import { Choice } from '../../ui/Choice.tsx';
import { DaysAndTimes } from '../../ui/DaysAndTimes.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { useTownTime } from '../useTownDay.ts';
import { useZones } from '../useZones.ts';
import {
  BEARER_OF_CREDIT_TEXTS,
  describeCredit,
  describeWeek,
  TURNAROUND_TEXTS,
  WINDOW_KIND_TEXTS,
} from '../windowTexts.ts';
import styles from './Hours.module.css';
import { type DraftPlan, type DraftWeek, isPlain, toDraft, toPlan } from './windowDraft.ts';

export const useWindows = () => useQuery({ queryKey: ['town-windows'], queryFn: () => operatorApi.readWindows() });

/** When laundry is fetched and brought back, and what a missed promise pays. */
export function Windows({ hours }: { hours: Hours }) {
  const windows = useWindows();
  if (windows.isPending) return <LoadingRows label="windows" />;
  if (!windows.data) return <QueryError query={windows} title="The windows did not load" />;
  return <WindowsCard windows={windows.data} hours={hours} />;
}

function WindowsCard({ windows, hours }: { windows: TownWindows; hours: Hours }) {
  const mayChange = useHasRight('prices');
  const townTime = useTownTime();
  const { plan, credit, since, setBy } = windows;
  return (
    <section className={sections.card} aria-label="Windows">
      <SectionHeader title="Windows">{mayChange && <ChangeWindowsButton {...{ windows, hours }} />}</SectionHeader>
      {!plan && <p>People come as soon as possible. With windows, Buds choose when, and know when it is back.</p>}
      {plan && <Plan plan={plan} />}
      <div className={styles.row}>
        <p>{describeCredit(credit)}.</p>
        {mayChange && <CreditButton credit={credit} />}
      </div>
      {since !== null && (
        <p className="quiet">
          Windows set by {setBy}, {townTime(since)}
        </p>
      )}
    </section>
  );
}

function Plan({ plan }: { plan: NonNullable<TownWindows['plan']> }) {
  const zones = useZones();
  const nameOf = (id: string) => zones.data?.items.find((zone) => zone.id === id)?.name ?? 'A zone that has ended';
  return (
    <dl className={styles.week}>
      {WINDOW_KINDS.map((kind) => (
        <div key={kind} className={styles.day}>
          <dt>{WINDOW_KIND_TEXTS[kind]}</dt>
          <dd>
            {describeWeek(plan[kind]).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </dd>
        </div>
      ))}
      <div className={styles.day}>
        <dt>Places</dt>
        <dd>
          {plan.places} in each window
          {Object.entries(plan.placesIn).map(([id, places]) => (
            <div key={id}>
              {places} in {nameOf(id)}
            </div>
          ))}
        </dd>
      </div>
      <div className={styles.day}>
        <dt>Back at the earliest</dt>
        <dd>{TURNAROUND_TEXTS[plan.fastest]}</dd>
      </div>
      <div className={styles.day}>
        <dt>Notice</dt>
        <dd>{plan.noticeHours === 0 ? 'None' : `${plan.noticeHours} hours before a window begins`}</dd>
      </div>
    </dl>
  );
}

export function ChangeWindowsButton({ windows, hours }: { windows: TownWindows; hours: Hours }) {
  const [before, setBefore] = useState(windows.plan);
  const [isOn, setOn] = useState(true);
  const [draft, setDraft] = useState(() => toDraft(windows.plan, hours));
  const zones = useZones();
  const result = toPlan(draft);
  const problem = isOn && 'problem' in result ? result.problem : undefined;
  const plan = isOn && 'plan' in result ? result.plan : null;
  const change = (part: Partial<DraftPlan>) => setDraft((now) => ({ ...now, ...part }));
  return (
    <ActButton
      label={windows.plan ? 'Change…' : 'Offer Windows…'}
      title="When does somebody come?"
      button="Change the Windows"
      done="The windows are changed"
      size="lg"
      isReady={problem === undefined}
      onOpen={() => {
        setBefore(windows.plan);
        setOn(true);
        setDraft(toDraft(windows.plan, hours));
      }}
      run={(reason, idempotencyKey) => operatorApi.setWindows({ body: { before, plan, reason }, idempotencyKey })}
    >
      {(errors) => (
        <div className={styles.grid}>
          {windows.plan && (
            <Choice type="checkbox" name="Offer windows" checked={isOn} onChoose={() => setOn(!isOn)}>
              Without them people come as soon as possible. Booked windows stay.
            </Choice>
          )}
          {isOn && !isPlain(before) && (
            <p className={styles.preview}>
              Your windows differ by the day, or in their length, which this form cannot show. Saving makes them as they
              are below.
            </p>
          )}
          {isOn && (
            <>
              {WINDOW_KINDS.map((kind) => (
                <WeekFieldset
                  key={kind}
                  name={WINDOW_KIND_TEXTS[kind]}
                  week={draft[kind]}
                  onChange={(week) => change({ [kind]: week })}
                />
              ))}
              <NumberInput
                label="Orders in one window"
                description="In each zone"
                min={1}
                max={1000}
                allowDecimal={false}
                value={draft.places}
                error={errors['plan.places']}
                onChange={(places) => change({ places: numberOf(places) })}
              />
              {zones.data?.items.map(({ id, name }) => (
                <NumberInput
                  key={id}
                  label={`Orders in one window in ${name}`}
                  description="As everywhere, if it is empty"
                  min={1}
                  max={1000}
                  allowDecimal={false}
                  value={draft.placesIn[id] ?? ''}
                  error={errors[`plan.placesIn.${id}`]}
                  onChange={(places) => {
                    const { [id]: _before, ...others } = draft.placesIn;
                    change({ placesIn: places === '' ? others : { ...others, [id]: Number(places) } });
                  }}
                />
              ))}
              <NativeSelect
                label="Back at the earliest"
                description="What is faster can cost more: “Back on the next day” and “Back on the same day” in Prices"
                data={TURNAROUNDS.map((value) => ({ value, label: TURNAROUND_TEXTS[value] }))}
                value={draft.fastest}
                onChange={(event) => change({ fastest: event.currentTarget.value as Turnaround })}
              />
              <NumberInput
                label="Hours of notice before a window begins"
                min={0}
                max={72}
                allowDecimal={false}
                value={draft.noticeHours}
                error={errors['plan.noticeHours']}
                onChange={(noticeHours) => change({ noticeHours: numberOf(noticeHours) })}
              />
            </>
          )}
          {(problem ?? problemOfWeeks(errors)) && (
            <p role="alert" className={styles.problem}>
              {problem ?? problemOfWeeks(errors)}
            </p>
          )}
          {plan && (
            <div className={styles.preview}>
              {WINDOW_KINDS.map((kind) => (
                <p key={kind}>
                  {WINDOW_KIND_TEXTS[kind]}: {describeWeek(plan[kind]).join('. ')}
                </p>
              ))}
            </div>
          )}
        </div>
      )}
    </ActButton>
  );
}

const numberOf = (typed: number | string) => (typed === '' ? '' : Number(typed));

/** What the server says of the windows themselves, which have no field of their own. */
const problemOfWeeks = (errors: FormErrors) =>
  Object.entries(errors).find(([name]) => /^plan(\.(pickup|return|placesIn|fastest)(\.|$)|$)/.test(name))?.[1];

type WeekProps = { readonly name: string; readonly week: DraftWeek; readonly onChange: (week: DraftWeek) => void };

function WeekFieldset({ name, week, onChange }: WeekProps) {
  return (
    <fieldset className={styles.windowFields}>
      <legend>{name}</legend>
      <DaysAndTimes
        name={name}
        value={week}
        onChange={(part) => onChange({ ...week, ...part })}
        className={styles.span}
      >
        <NumberInput
          label="Hours each"
          aria-label={`${name}: hours each`}
          min={0.5}
          max={12}
          step={0.5}
          decimalScale={2}
          value={week.lengthHours}
          onChange={(lengthHours) => onChange({ ...week, lengthHours: Number(lengthHours) })}
        />
      </DaysAndTimes>
    </fieldset>
  );
}

function CreditButton({ credit }: { credit: TownWindows['credit'] }) {
  const [before, setBefore] = useState(credit);
  const [amount, setAmount] = useState<number | string>(5);
  const [borneBy, setBorneBy] = useState<CreditBearer>('holder');
  const dollars = Number(amount);
  return (
    <ActButton
      label="Change…"
      title="What does a missed promise pay?"
      button="Change It"
      done="Changed"
      isReady={amount !== '' && dollars >= 0 && dollars <= 100}
      onOpen={() => {
        setBefore(credit);
        setAmount(credit?.amount ?? 5);
        setBorneBy(credit?.borneBy ?? 'holder');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.setPromiseCredit({
          body: { before, credit: dollars > 0 ? { amount: dollars, borneBy } : null, reason },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <p>
            When laundry is not back by the promised time, this amount goes back to the card by itself a day later,
            once, unless the customer gave it away late or did not open the door. Nobody has to claim it. A worker who
            bears it can contest it once. It holds for orders that are placed from now on, and the town bears at most
            what it keeps of an order.
          </p>
          <NumberInput
            label="Dollars back"
            description="0 for nothing"
            min={0}
            max={100}
            decimalScale={2}
            value={amount}
            error={errors['credit.amount'] ?? errors.credit}
            onChange={setAmount}
          />
          <NativeSelect
            label="Borne by"
            data={CREDIT_BEARERS.map((value) => ({ value, label: BEARER_OF_CREDIT_TEXTS[value] }))}
            value={borneBy}
            onChange={(event) => setBorneBy(event.currentTarget.value as CreditBearer)}
          />
        </>
      )}
    </ActButton>
  );
}
