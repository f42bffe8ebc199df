import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ActAnswer } from '../../../contract/operator/call.ts';
import type { Zone } from '../../../contract/operator/zones.ts';
import { nextLocalDate, startOfLocalDay } from '../../../domain/localDays.ts';
import { LAST_WINDOW_MS } from '../../../domain/windows.ts';
import { MAX_ZONE_NAME } from '../../../domain/zones.ts';
import { Choice } from '../../ui/Choice.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActForm } from '../ActForm.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { CORRECT_AT_ONCE } from '../acts.ts';
import { TouchedOrders } from '../hours/TouchedOrders.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { UnloadedPage } from '../UnloadedPage.tsx';
import { useTownAlone } from '../useConsent.ts';
import { useZones } from '../useZones.ts';
import { CornerFields, CornerMap, useCornerDraft } from './CornerFields.tsx';
import { AreaFacts, PriceFacts } from './ZoneFacts.tsx';
import { usePriceDraft, ZonePriceFields } from './ZonePrices.tsx';
import styles from './Zones.module.css';

const BACK = { to: '/operator/zones', label: 'Zones' };

/** The places of Scrubs, to begin a map with. */
function useTownPlaces() {
  const { data } = useQuery({
    queryKey: ['town-map'],
    queryFn: ({ signal }) => operatorApi.readTownMap({}, { signal }),
  });
  return data ? [...data.scrubs, ...data.deliveries] : [];
}

const othersOf = (zones: readonly Zone[], id?: string) =>
  zones.flatMap((zone) => (zone.corners && zone.id !== id ? [zone.corners] : []));

/** When a change starts: on a day, at once, or without either as soon as changes start. */
type Start = { readonly from?: string; readonly atOnce?: boolean };
type StartFieldsProps = {
  value: Start;
  error: string | undefined;
  canCorrect?: boolean;
  onChange: (start: Start) => void;
};

function StartFields({ value: { from = '', atOnce = false }, error, canCorrect = false, onChange }: StartFieldsProps) {
  const { isNew } = useTownAlone();
  return (
    <>
      {canCorrect && !isNew && (
        <Choice
          type="checkbox"
          name={CORRECT_AT_ONCE.label}
          checked={atOnce}
          onChoose={() => onChange(atOnce ? {} : { atOnce: true })}
        >
          {CORRECT_AT_ONCE.description}
        </Choice>
      )}
      {!atOnce && (
        <TextInput
          label={`From (${isNew ? 'at once' : 'tomorrow'}, if it is empty)`}
          type="date"
          value={from}
          error={error}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? {} : { from: value })}
        />
      )}
    </>
  );
}

/** Adds a zone: its map, its name, its prices and its first day. */
export function NewZonePage() {
  const zones = useZones();
  const near = useTownPlaces();
  const navigate = useNavigate();
  const corners = useCornerDraft([]);
  const prices = usePriceDraft([]);
  const [name, setName] = useState('');
  const [start, setStart] = useState<Start>({});
  return (
    <>
      <PageHeader title="New zone" subtitle="A part of the town. It can have prices of its own." back={BACK} />
      <div className={styles.page}>
        <CornerMap draft={corners} near={near} others={othersOf(zones.data?.items ?? [])} mayChange />
        <section className={sections.card} aria-label="New zone">
          <ActForm
            button="Add the Zone"
            done="The zone is added"
            needsApproval
            isReady={name.trim() !== '' && corners.problem === undefined && prices.isReady}
            run={(reason, idempotencyKey) =>
              operatorApi.addZone({
                body: { name, corners: corners.corners, prices: prices.prices, reason, ...start },
                idempotencyKey,
              })
            }
            onDone={() => void navigate(BACK.to)}
          >
            {(errors) => (
              <>
                <TextInput
                  label="Name"
                  maxLength={MAX_ZONE_NAME}
                  value={name}
                  error={errors.name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <CornerFields draft={corners} near={near} error={errors.corners} />
                <h2>Prices</h2>
                <ZonePriceFields draft={prices} start={start} errors={errors} />
                <StartFields value={start} error={errors.from} onChange={setStart} />
              </>
            )}
          </ActForm>
        </section>
      </div>
    </>
  );
}

/** One zone on its map: where it is, and what orders cost there. */
export function ZonePage() {
  const { id } = useParams();
  const zones = useZones();
  const { data } = zones;
  if (!data) return <UnloadedPage what="zone" title="Zone" back={BACK} query={zones} />;
  const zone = data.items.find((one) => one.id === id);
  if (zone) return <LoadedZone key={zone.id} zone={zone} zones={data.items} />;
  return (
    <>
      <PageHeader title="Zone" back={BACK} />
      <EmptyState text="There is no such zone. It may have ended." drawing="pin" isCard />
    </>
  );
}

function LoadedZone({ zone, zones }: { zone: Zone; zones: readonly Zone[] }) {
  const { id, name } = zone;
  const mayChange = useHasRight('prices');
  const last = zone.nextAreas.at(-1)?.corners ?? zone.corners ?? [];
  const draft = useCornerDraft(last);
  return (
    <>
      <PageHeader title={name} back={BACK} />
      <div className={styles.page}>
        <CornerMap draft={draft} near={last} others={othersOf(zones, id)} mayChange={mayChange} />
        <div className={sections.sections}>
          <section className={sections.card} aria-label="Where">
            <SectionHeader title="Where" />
            <AreaFacts zone={zone} />
            {mayChange && <DrawForm zone={zone} draft={draft} />}
          </section>
          <section className={sections.card} aria-label="Prices">
            <SectionHeader title="Prices" />
            <PriceFacts zone={zone} />
            {mayChange && <PricesForm zone={zone} />}
          </section>
          {mayChange && (
            <div>
              <EndButton zone={zone} />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

/** Asks from when on, and what becomes of the orders with a window after that. */
function EndButton({ zone: { id, name } }: { zone: Zone }) {
  const { timeZone = 'UTC' } = useTown().data ?? {};
  const [touched, setTouched] = useState(0);
  return (
    <ActFormButton
      act="drawZone"
      variant="subtle"
      name={name}
      params={{ id }}
      body={{ corners: null }}
      fields={touched > 0 ? ['from', 'touched'] : ['from']}
      onOpen={() => setTouched(0)}
    >
      {({ from }) => {
        const day = typeof from === 'string' && from !== '' ? from : nextLocalDate(new Date(), timeZone);
        const start = startOfLocalDay(day, timeZone);
        const until = new Date(start.getTime() + LAST_WINDOW_MS);
        return <TouchedOrders from={start} {...{ until, timeZone }} zone={id} ends onFound={setTouched} />;
      }}
    </ActFormButton>
  );
}

type ChangeFormProps = {
  button: string;
  done: string;
  isReady: boolean;
  canCorrect?: boolean;
  send: (request: Start & { reason: string }, idempotencyKey: string) => Promise<ActAnswer>;
  children: (errors: FormErrors, start: Start) => ReactNode;
};

/** A change of a zone from a day on. The form begins again after each request. */
function ChangeForm({ canCorrect = false, send, children, ...texts }: ChangeFormProps) {
  const [start, setStart] = useState<Start>({});
  const [sent, setSent] = useState(0);
  return (
    <ActForm
      key={sent}
      {...texts}
      needsApproval
      run={(reason, idempotencyKey) => send({ reason, ...start }, idempotencyKey)}
      onDone={() => setSent(sent + 1)}
    >
      {(errors) => (
        <>
          {children(errors, start)}
          <StartFields value={start} error={errors.from} canCorrect={canCorrect} onChange={setStart} />
        </>
      )}
    </ActForm>
  );
}

function DrawForm({ zone: { id, name }, draft }: { zone: Zone; draft: ReturnType<typeof useCornerDraft> }) {
  return (
    <ChangeForm
      button="Draw It Again"
      done={`${name} was redrawn`}
      isReady={draft.isChanged && draft.problem === undefined}
      send={(request, idempotencyKey) =>
        operatorApi.drawZone({ params: { id }, body: { corners: draft.corners, ...request }, idempotencyKey })
      }
    >
      {(errors) => <CornerFields draft={draft} near={draft.corners} error={errors.corners} />}
    </ChangeForm>
  );
}

function PricesForm({ zone: { id, prices, nextPrices } }: { zone: Zone }) {
  const draft = usePriceDraft(nextPrices.at(-1)?.prices ?? prices);
  return (
    <ChangeForm
      button="Change the Prices"
      done="The prices are changed"
      isReady={draft.isReady && draft.isChanged}
      canCorrect
      send={(request, idempotencyKey) =>
        operatorApi.setZonePrices({ params: { id }, body: { prices: draft.prices, ...request }, idempotencyKey })
      }
    >
      {(errors, start) => <ZonePriceFields draft={draft} zone={id} start={start} errors={errors} />}
    </ChangeForm>
  );
}
