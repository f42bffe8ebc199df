import { addDays } from './localDays.ts';

const [SUNDAY, SATURDAY] = [0, 6];

const isWeekend = (date: string): boolean => [SUNDAY, SATURDAY].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The first day after a date on which banks work: no Saturday and no Sunday. Holidays differ from bank to bank: it moves the day itself. */
export function nextBankDay(date: string): string {
  let next = addDays(date, 1);
  while (isWeekend(next)) next = addDays(next, 1);
  return next;
}
