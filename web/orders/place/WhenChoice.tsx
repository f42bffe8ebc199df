import { useQuery } from '@tanstack/react-query';
import type { WindowOffer, WindowOffers } from '../../../contract/windows.ts';
import { localDate } from '../../../domain/localDays.ts';
import { formatSpan, nameOfDay, toWindow } from '../../../texts/windows.ts';
import { api } from '../../api/client.ts';
import { currentTime } from '../../clock.ts';
import { Chips } from '../../ui/Chips.tsx';
import { RadioGroup } from '../../ui/Choice.tsx';
import type { ChangeDraft, OrderDraft } from './orderDraft.ts';
import {
  byDay,
  type ChosenTimes,
  choosePickup,
  firstTimes,
  possiblePickups,
  returnsAfter,
  turnaroundOfTimes,
} from './times.ts';
import styles from './WhenChoice.module.css';

/** The windows of an address. Places are taken all the time, so each visit asks again. */
export function useWindows(addressId: string | undefined) {
  const query = { budAddressId: addressId ?? '' };
  return useQuery({
    queryKey: ['windows', query],
    queryFn: ({ signal }) => api.listWindows({ query }, { signal }),
    enabled: addressId !== undefined,
    refetchOnMount: 'always',
    refetchOnReconnect: true,
  });
}

/** When somebody comes, where the town offers windows: as soon as possible, or a time that the Bud chooses. */
export function WhenChoice({ draft, change }: { draft: OrderDraft; change: ChangeDraft }) {
  const { data: offers } = useWindows(draft.addressId);
  const { times } = draft;
  const first = offers && firstTimes(offers);
  // Only the zone of the address: a town that is closed says so above all steps.
  const closed = times === undefined ? offers?.closed : undefined;
  if (!first && times === undefined && !closed) return null;
  const choose = (chosen: ChosenTimes | undefined) => change((before) => ({ ...before, times: chosen }));
  const isChosen = times !== undefined && times !== 'lost';
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
            ...(first ? [{ value: 'window', name: 'At a time I choose' } as const] : []),
          ]}
          value={isChosen ? 'window' : times === 'lost' ? '' : 'soon'}
          onChange={(value) => choose(value === 'window' ? first : undefined)}
        />
      )}
      {isChosen && offers && <Times times={times} offers={offers} onChange={choose} />}
    </div>
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
