import { z } from 'zod';
import { WEEKDAYS } from '../domain/hours.ts';
import { oneOf } from './fields.ts';

const clock = z
  .string({ error: 'A time is like 08:00' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'A time is like 08:00' });

/** On a weekday, from one time of the town's clocks to another. */
const Span = z
  .strictObject({
    weekday: oneOf(WEEKDAYS, `A weekday is one of ${WEEKDAYS.join(', ')}`),
    from: clock,
    until: clock.describe('on the next day when it is not after `from`'),
  })
  .meta({ id: 'Span' });

/** The times of a week, at most so many. */
export const weekOf = (name: string, most: number, tooMany: string) =>
  z.array(Span, { error: `${name} must be a list` }).max(most, { error: tooMany });
