import { addDays } from './localDays.ts';

const [SUNDAY, SATURDAY] = [0, 6];

const isWeekend = (date: string): boolean => [SUNDAY, SATURDAY].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The first day after a date that is not a Saturday or Sunday. Holidays differ from bank to bank, so the bank moves the day itself. */
export function nextBankDay(date: string): string {
  let next = addDays(date, 1);
  while (isWeekend(next)) next = addDays(next, 1);
  return next;
}
