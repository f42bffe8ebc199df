import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WindowOffer, WindowOffers } from '../../../contract/windows.ts';
import { localDate } from '../../../domain/localDays.ts';
import { formatSpan, nameOfDay, toWindow } from '../../../texts/windows.ts';
import { api } from '../../api/client.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import { useOffline } from '../../hooks/useOffline.ts';
import { Chips } from '../../ui/Chips.tsx';
import { RadioGroup } from '../../ui/Choice.tsx';
import type { ChangeDraft, OrderDraft } from './orderDraft.ts';
import {
  byDay,
  type ChosenTimes,
  choosePickup,
  chosenOf,
  firstTimes,
  possiblePickups,
  returnsAfter,
  timesText,
  turnaroundOfTimes,
} from './times.ts';
import styles from './WhenChoice.module.css';

/** The windows of an address. Places are taken all the time, so each visit asks again, and shows no answer of the last one. */
export function useWindows(addressId: string | undefined) {
  const query = { budAddressId: addressId ?? '' };
  return useQuery({
    queryKey: ['windows', query],
    queryFn: ({ signal }) => api.listWindows({ query }, { signal }),
    enabled: addressId !== undefined,
    gcTime: 0,
    refetchOnMount: 'always',
    refetchOnReconnect: true,
  });
}

/** When somebody comes, where the town offers windows: as soon as possible, or a time that the Bud chooses. */
export function WhenChoice({ draft, change }: { draft: OrderDraft; change: ChangeDraft }) {
  const windows = useWindows(draft.addressId);
  const { data: offers } = windows;
  const { times } = draft;
  const first = offers && firstTimes(offers);
  const choose = (wanted: ChosenTimes | undefined) => change((before) => ({ ...before, times: wanted }));
  const chosen = chosenOf(times);
  const isFailed = windows.isError && !offers;
  // Only the zone of the address: a town that is closed says so above all steps.
  const closed = times === undefined ? offers?.closed : undefined;
  if (!first && times === undefined && !isFailed && !closed) return null;
  return (
    <div className={styles.when}>
      {times === 'lost' && (
        <p role="alert" className={styles.lost}>
          The time that you had chosen is no longer offered. Please choose again.
        </p>
      )}
      {closed && (
        <p className={styles.lost}>
          {closed.words}
          {first && ' You can choose a time after that.'}
        </p>
      )}
      {(first || times !== undefined) && (
        <RadioGroup
          legend="When should we come?"
          options={[
            { value: 'soon', name: 'As soon as possible' },
            ...(first || chosen ? [{ value: 'window', name: 'At a time I choose' } as const] : []),
          ]}
          value={chosen ? 'window' : times === 'lost' ? '' : 'soon'}
          onChange={(value) => choose(value === 'window' ? first : undefined)}
        />
      )}
      {chosen && (offers ? <Times times={chosen} offers={offers} onChange={choose} /> : <Unchecked times={chosen} />)}
      {isFailed && (
        <p className={styles.unknown}>
          The times that you can choose did not load.
          {times === undefined && ' Without them we come as soon as possible.'}
          <Button variant="default" loading={windows.isFetching} onClick={() => void windows.refetch()}>
            Load the Times
          </Button>
        </p>
      )}
    </div>
  );
}

/** What was chosen before, until it is known whether it is still free. */
function Unchecked({ times }: { times: ChosenTimes }) {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const isOffline = useOffline();
  return (
    <p className={styles.unknown}>
      {timesText(times, timeZone, currentTime())}
      {isOffline && <span className="quiet">Whether it is still free is checked once you are online.</span>}
    </p>
  );
}

type TimesProps = {
  readonly times: ChosenTimes;
  readonly offers: WindowOffers;
  readonly onChange: (times: ChosenTimes | undefined) => void;
};

function Times({ times, offers, onChange }: TimesProps) {
  const { timeZone, costsMore } = offers;
  const percentOf = (back: WindowOffer) => costsMore[turnaroundOfTimes({ ...times, return: back }, offers)];
  return (
    <>
      <WindowChips
        name="Pickup"
        offers={possiblePickups(offers)}
        chosen={times.pickup}
        timeZone={timeZone}
        onChange={(pickup) => onChange(choosePickup(pickup, offers, times.return))}
      />
      <WindowChips
        name="Back"
        offers={returnsAfter(times.pickup, offers)}
        chosen={times.return}
        timeZone={timeZone}
        extraOf={(back) => {
          const percent = percentOf(back);
          return percent ? `+${percent}% of the load` : undefined;
        }}
        onChange={({ from, until }) => onChange({ ...times, return: { from, until } })}
      />
    </>
  );
}

type WindowChipsProps = {
  readonly name: string;
  readonly offers: readonly WindowOffer[];
  readonly chosen: ChosenTimes['pickup'];
  readonly timeZone: string;
  readonly extraOf?: (offer: WindowOffer) => string | undefined;
  readonly onChange: (offer: WindowOffer) => void;
};

/** A day, and a window of that day: whoever chooses a day has its first window. */
function WindowChips({ name, offers, chosen, timeZone, extraOf, onChange }: WindowChipsProps) {
  const days = byDay(offers, timeZone);
  const day = localDate(new Date(chosen.from), timeZone);
  const now = currentTime();
  const windows = days.get(day) ?? [];
  return (
    <>
      <Chips
        legend={`${name}: which day?`}
        scrolls
        options={[...days].map(([date, [first]]) => ({
          value: date,
          name: nameOfDay(new Date(first?.from ?? chosen.from), timeZone, now),
        }))}
        value={day}
        onChange={(date) => {
          const [first] = days.get(date) ?? [];
          if (first) onChange(first);
        }}
      />
      <Chips
        legend={`${name}: what time?`}
        options={windows.map((offer) => ({
          value: offer.from,
          name: formatSpan(toWindow(offer), timeZone),
          more: [offer.left === 'few' ? 'few left' : undefined, extraOf?.(offer)].filter(Boolean).join(' · '),
        }))}
        value={chosen.from}
        onChange={(from) => {
          const offer = windows.find((one) => one.from === from);
          if (offer) onChange(offer);
        }}
      />
    </>
  );
}
