import { WEEKDAYS } from '../../domain/hours.ts';
import { addDays } from '../../domain/localDays.ts';
import { DAYS_OFF_CHOICES } from '../../domain/moves.ts';
import { EVERY_DAY } from '../../domain/weeks.ts';
import { type Person, pick } from './person.ts';

/** How many pounds a Scrub with a week takes on a day, unless the options say otherwise. */
const POUNDS_A_DAY = 60;
const MOST_DAYS_OFF = 2;

/** Before their first order, some Scrubs say when they work, and how much. */
export async function setWeek({ random, traits, phone }: Person, poundsADay: number | undefined): Promise<void> {
  if (random() >= traits.hasWeek && poundsADay === undefined) return;
  const [from, until] = pick(random, [
    ['06:00', '00:00'],
    ['00:00', '18:00'],
    ['09:00', '21:00'],
  ] as const) ?? ['', ''];
  const week = {
    hours: random() < 0.6 ? WEEKDAYS.map((weekday) => ({ weekday, from, until })) : [],
    poundsADay: poundsADay ?? (random() < 0.6 ? POUNDS_A_DAY : null),
    ordersADay: random() < 0.5 ? 5 + Math.floor(random() * 5) : null,
    sizes: null,
    noticeHours: random() < 0.4 ? 2 : 0,
  };
  await phone.send('set the week', [], (api) => api.setWeek({ body: { before: EVERY_DAY, week } }));
}

/** A Scrub takes a day off, or works on one after all. */
export async function changeDaysOff(scrub: Person): Promise<void> {
  const { random, phone, clock } = scrub;
  const calendar = await phone.read('the calendar', [], (api) => api.readCalendar());
  if (!calendar) return;
  const off = pick(random, calendar.daysOff);
  if (off && (calendar.daysOff.length >= MOST_DAYS_OFF || random() < 0.3)) {
    await phone.send('work on a day off', [], (api) => api.removeDaysOff({ params: { id: off.id } }));
    return;
  }
  const day = addDays(clock.now().toISOString().slice(0, 10), 1 + Math.floor(random() * 3));
  if (calendar.daysOff.some(({ from, until }) => from <= day && day <= until)) return;
  const touched = pick(random, DAYS_OFF_CHOICES) ?? 'offer';
  const orders = calendar.days.find((one) => one.day === day)?.jobs.map(({ orderId }) => orderId) ?? [];
  const at = clock.now();
  const done = await phone.send(`take ${day} off: ${touched}`, orders, (api) =>
    api.addDaysOff({ body: { from: day, until: day, touched } }),
  );
  if (!done.ok) return;
  scrub.count('days off');
  if (touched !== 'keep') scrub.touched.post(orders, at);
  // The orders whose Bud still has the laundry are given back.
  if (touched === 'give-back')
    for (const id of orders) if (scrub.knowledge.orders.get(id) === 'Accepted') scrub.knowledge.gaveUp(id);
}
