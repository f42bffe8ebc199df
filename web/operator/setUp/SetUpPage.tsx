import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { TownIdentity } from '../../../contract/operator/identity.ts';
import type { TownPolicy } from '../../../contract/operator/policies.ts';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import type { TownSetUp } from '../../../contract/operator/setUp.ts';
import type { Town } from '../../../contract/operator/town.ts';
import { describeDay, WEEKDAYS } from '../../../domain/hours.ts';
import { PERMISSIONS } from '../../../domain/operators.ts';
import { LARGER_SIZES, LOAD_SIZES } from '../../../domain/orders.ts';
import { TAX_ROUNDINGS } from '../../../domain/payments.ts';
import { SET_UP_SECTIONS, type SetUpSection } from '../../../domain/setUp.ts';
import { WINDOW_KINDS } from '../../../domain/windows.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ActForm } from '../ActForm.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { TIME_ZONES } from '../acts.ts';
import { ChangeHoursButton } from '../hours/ChangeHoursButton.tsx';
import { ChangeWindowsButton, useWindows } from '../hours/Windows.tsx';
import { proposePlan } from '../hours/windowDraft.ts';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { IdentityForm, useIdentity } from '../settings/IdentityForm.tsx';
import { PRESET_TEXTS, SECTION_TITLES } from '../setUpTexts.ts';
import { useTown } from '../townQuery.ts';
import { useSetUp } from '../useSetUp.ts';
import { useTownTime } from '../useTownDay.ts';
import { describeWeek, WINDOW_KIND_TEXTS } from '../windowTexts.ts';
import { ConnectionList } from './ConnectionList.tsx';
import { answersOf, type Draft, findTypedProblem, pricesOf, startDraft, TYPED_ITEMS, type TypedItem } from './draft.ts';
import { PriceFields } from './PriceFields.tsx';
import { RuleFields, WorkerFields } from './RuleFields.tsx';
import styles from './SetUp.module.css';

/** What a town needs before its first order, with a good answer to everything. Whoever opens the town accepts what is proposed. */
export function SetUpPage() {
  const setUp = useSetUp();
  const town = useTown();
  const identity = useIdentity();
  const prices = useQuery({ queryKey: ['prices'], queryFn: () => operatorApi.listPrices() });
  const policies = useQuery({ queryKey: ['policies'], queryFn: () => operatorApi.listPolicies() });
  const failed = [setUp, town, identity, prices, policies].find(({ isError, data }) => isError && !data);
  return (
    <>
      <PageHeader
        title="Set up your town"
        subtitle="Everything has an answer already. Change what you like: it takes about five minutes."
      >
        {setUp.data?.done === null && (
          <Button component={Link} to="/operator/today" variant="subtle">
            Skip for Now
          </Button>
        )}
      </PageHeader>
      <div className={`${sections.sections} ${styles.page}`}>
        {failed && <QueryError query={failed} title="The set-up did not load" />}
        {!failed && !(setUp.data && town.data && identity.data && prices.data && policies.data) && (
          <LoadingRows label="set-up" />
        )}
        {setUp.data && town.data && identity.data && prices.data && policies.data && (
          <Sections
            setUp={setUp.data}
            town={town.data}
            identity={identity.data}
            prices={prices.data.items}
            policies={policies.data.policies}
          />
        )}
      </div>
    </>
  );
}

type Data = {
  readonly setUp: TownSetUp;
  readonly town: Town;
  readonly identity: TownIdentity;
  readonly prices: readonly TownPrice[];
  readonly policies: readonly TownPolicy[];
};

const REASON = 'Set-up';

/** What is in a section: a form of its own, or the fields of the form that all sections have and what stands above it. */
type Content = { readonly form?: ReactNode; readonly fields?: ReactNode; readonly above?: ReactNode };

const idOf = (section: SetUpSection | 'end' = 'end') => `set-up-${section}`;

/** The next section begins at the top of the window, and has the focus of the keyboard. */
function goTo(section: SetUpSection | undefined): void {
  const place = document.getElementById(idOf(section));
  place?.scrollIntoView();
  (place?.querySelector('summary') ?? place)?.focus({ preventScroll: true });
}

function Sections({ setUp, town, identity, prices, policies }: Data) {
  const { answered, done } = setUp;
  const { runsAlone, hasOrders } = town;
  const [draft, setDraft] = useState(() => startDraft({ answered, timeZone: town.timeZone, prices, policies }));
  const nextFrom = (index: number) => SET_UP_SECTIONS.slice(index).find((one) => !answered.includes(one));
  const [open, setOpen] = useState(() => (done ? undefined : nextFrom(0)));
  const [saves, setSaves] = useState<Partial<Record<SetUpSection, number>>>({});
  const [hasNewIdentity, setNewIdentity] = useState(false);
  const problem = problemOf(draft);
  const waiting = SET_UP_SECTIONS.filter((one) => !answered.includes(one));
  const rounding = TAX_ROUNDINGS[prices.find(({ item }) => item === 'tax-rounding')?.value ?? 0];
  const save = (some: readonly SetUpSection[], isDone?: true) => (_reason: string, idempotencyKey: string) =>
    operatorApi.setUpTown({
      body: { answered: [...some], ...answersOf(draft, some), ...(isDone ? { isDone } : {}), reason: REASON },
      idempotencyKey,
    });
  const finish = (section: SetUpSection) => {
    setSaves((now) => ({ ...now, [section]: (now[section] ?? 0) + 1 }));
    const next = nextFrom(SET_UP_SECTIONS.indexOf(section) + 1);
    setOpen(next);
    requestAnimationFrame(() => goTo(next));
  };
  const content: Readonly<Record<SetUpSection, Content>> = {
    town: {
      form: (
        <IdentityForm
          // Begins again with what was saved.
          key={`${saves.town} ${identity.since}`}
          identity={identity}
          reason={REASON}
          button="Save and Continue"
          also={() => save(['town'])(REASON, crypto.randomUUID())}
          onDone={({ isChanged }) => {
            if (isChanged) setNewIdentity(true);
            finish('town');
          }}
        >
          <TimeZoneField draft={draft} onChange={setDraft} />
        </IdentityForm>
      ),
    },
    rules: { fields: <RuleFields draft={draft} onChange={setDraft} /> },
    prices: { fields: <PriceFields draft={draft} rounding={rounding} onChange={setDraft} /> },
    hours: { above: <HoursAndArea /> },
    workers: { fields: <WorkerFields draft={draft} documents={setUp.documents} onChange={setDraft} /> },
    connections: { above: <ConnectionList connections={setUp.connections} /> },
    operators: { above: <SecondOperator /> },
    windows: { above: <WindowsProposal /> },
  };
  const summaries = useSummaries(draft, setUp, identity.name);
  return (
    <>
      {done && <Opened {...done} />}
      {!runsAlone && <p className="quiet">Time zone, rules and prices need a second operator.</p>}
      {hasOrders && <p className="quiet">Somebody has ordered: rules and prices start on the next day.</p>}
      {SET_UP_SECTIONS.map((section, index) => {
        const isAnswered = answered.includes(section);
        const { above, fields, form } = content[section];
        return (
          <div key={section} id={idOf(section)} className={styles.section}>
            <Fold
              title={`${index + 1}. ${SECTION_TITLES[section]}`}
              aside={<Aside text={summaries[section]} isAnswered={isAnswered} />}
              isOpen={open === section}
              onToggle={(isOpen) => setOpen((now) => (isOpen ? section : now === section ? undefined : now))}
            >
              <div className={sections.column}>
                {above}
                {form ?? (
                  <ActForm
                    // A saved section can be changed and saved again, under another key.
                    key={saves[section] ?? 0}
                    reasonLabel={null}
                    needsApproval={fields !== undefined && !runsAlone}
                    button={fields ? 'Save and Continue' : 'Continue'}
                    done={`${SECTION_TITLES[section]}: saved`}
                    isReady={section !== 'prices' || problem === undefined}
                    run={save([section])}
                    onDone={() => finish(section)}
                  >
                    {fields}
                  </ActForm>
                )}
              </div>
            </Fold>
          </div>
        );
      })}
      {!done && (
        <section id={idOf()} tabIndex={-1} className={`${sections.card} ${styles.section}`} aria-label="Open the town">
          <p>
            {waiting.length === 0
              ? 'Everything is answered.'
              : 'Time zone, rules and prices that are not saved are taken as they are shown above.'}{' '}
            You can change all of it later.
          </p>
          <ActForm
            reasonLabel={null}
            button="Open the Town"
            done="Your town is open"
            isReady={problem === undefined}
            run={save(waiting, true)}
            // The page has the name and the colour of the town from the server.
            onDone={() => (hasNewIdentity ? location.reload() : window.scrollTo({ top: 0 }))}
          >
            {problem && <p className={styles.fails}>{problem}</p>}
          </ActForm>
        </section>
      )}
    </>
  );
}

const problemOf = (draft: Draft): string | undefined =>
  (Object.keys(TYPED_ITEMS) as TypedItem[]).some((item) => findTypedProblem(item, draft.typed[item])) ||
  !pricesOf(draft)
    ? 'One of the prices is not a number yet.'
    : undefined;

function Aside({ text, isAnswered }: { text: string; isAnswered: boolean }) {
  return (
    <span className={styles.aside}>
      {text}
      {isAnswered && (
        <>
          <Icon name="check" size={18} className={styles.check} />
          <span className="sr-only">Answered</span>
        </>
      )}
    </span>
  );
}

/** What each section says while it is folded. */
function useSummaries(draft: Draft, { connections }: TownSetUp, name: string): Readonly<Record<SetUpSection, string>> {
  const { data: hours } = useHours();
  const { data: windows } = useWindows();
  const { data: operators } = useQuery({ queryKey: ['operators'], queryFn: () => operatorApi.listOperators() });
  const { typed, pounds, policies, preset, timeZone } = draft;
  const sizes = LOAD_SIZES.length + LARGER_SIZES.filter((size) => pounds[size] > 0).length;
  const real = connections.filter(({ use }) => use === 'real').length;
  return {
    town: `${name}, ${timeZone.replaceAll('_', ' ')}`,
    rules: PRESET_TEXTS[preset].name,
    prices: `$${typed['wash-and-fold']} a pound, ${sizes} sizes${policies.weighing === 'careful' ? ', weighed' : ''}`,
    hours: hours ? (hours.hours.length === 0 ? 'Always open, everywhere' : 'At some hours') : '',
    workers: policies.admission === 'careful' ? 'With documents' : 'Everybody',
    connections: real === 0 ? 'Stand-ins' : `${real} connected`,
    operators: operators ? (operators.items.length === 1 ? 'Only you' : `${operators.items.length} operators`) : '',
    windows: windows ? (windows.plan ? 'Buds choose a time' : 'As soon as possible') : '',
  };
}

function TimeZoneField({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  return (
    <NativeSelect
      label="Time zone"
      description="Days, weeks and opening hours are in it."
      data={Object.keys(TIME_ZONES)}
      value={draft.timeZone}
      onChange={(event) => onChange({ ...draft, timeZone: event.currentTarget.value })}
    />
  );
}

const useHours = () => useQuery({ queryKey: ['hours'], queryFn: () => operatorApi.readHours() });

function HoursAndArea() {
  const { data } = useHours();
  const mayChange = useHasRight('prices');
  return (
    <>
      {data && (
        <p>
          {data.hours.length === 0
            ? 'Orders are always taken.'
            : WEEKDAYS.map((weekday) => `${weekday}: ${describeDay(weekday, data.hours)}`).join('. ')}
        </p>
      )}
      <p>Everybody can order, wherever they are. A zone is a part of the town with prices of its own.</p>
      {mayChange && (
        <div className="buttons">
          {data && <ChangeHoursButton hours={data} />}
          <Button component={Link} to="/operator/zones/new" variant="default">
            Draw a Zone
          </Button>
        </div>
      )}
    </>
  );
}

function WindowsProposal() {
  const { data: hours } = useHours();
  const { data: windows } = useWindows();
  const mayChange = useHasRight('prices');
  if (!hours || !windows) return null;
  const proposed = windows.plan ?? proposePlan(hours.hours);
  return (
    <>
      <p>
        {windows.plan ? 'Buds choose one of these windows.' : 'People come as soon as possible.'} With windows, Buds
        choose when somebody comes, and know when their laundry is back. You can offer them at any time, on the page
        Hours.
      </p>
      {proposed && (
        <div className="quiet">
          {!windows.plan && <p>These are proposed:</p>}
          {WINDOW_KINDS.map((kind) => (
            <p key={kind}>
              {WINDOW_KIND_TEXTS[kind]}: {describeWeek(proposed[kind]).join('. ')}
            </p>
          ))}
        </div>
      )}
      {mayChange && (
        <div className="buttons">
          <ChangeWindowsButton windows={windows} hours={hours.hours} />
        </div>
      )}
    </>
  );
}

function SecondOperator() {
  return (
    <>
      <p>With a second operator nothing waits for a day, and one stolen phone is not enough to move money.</p>
      <div className="buttons">
        <ActFormButton act="inviteOperator" variant="default" start={{ caps: [...PERMISSIONS] }} />
      </div>
    </>
  );
}

function Opened({ by, at }: NonNullable<TownSetUp['done']>) {
  const townTime = useTownTime();
  return (
    <section className={sections.card} aria-label="Your town is open">
      <h2>Your town is open</h2>
      <p>
        People sign up at <a href={location.origin}>{location.origin}</a>: a Bud to order, a Scrub to wash, a Duber to
        drive. What waits for you is on Today.
      </p>
      <p className="quiet">
        Opened by {by}, {townTime(at)}
      </p>
      <div className="buttons">
        <Button component={Link} to="/operator/today">
          Go to Today
        </Button>
      </div>
    </section>
  );
}
