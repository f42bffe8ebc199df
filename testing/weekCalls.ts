import { addDays } from '../domain/localDays.ts';
import { EVERY_DAY } from '../domain/weeks.ts';
import { ownDataCall, type Scenario, type ValidCall } from './validCall.ts';

// Days off of a Scrub do not overlap.
let lastDay = 90;
const newDaysOff = (scenario: Scenario) => {
  lastDay += 2;
  return { from: dayAfter(scenario, lastDay - 1), until: dayAfter(scenario, lastDay) };
};
const dayAfter = ({ testServer }: Scenario, days: number) => addDays(testServer.now().toISOString().slice(0, 10), days);

const requestFeed = async ({ participants }: Scenario): Promise<string> => {
  const { url } = await participants.scrub.api.makeCalendarFeed();
  return url.slice(url.lastIndexOf('/') + 1);
};

export const WEEK_CALLS = {
  readCalendar: ownDataCall(),
  setWeek: ownDataCall({ body: { before: EVERY_DAY, week: EVERY_DAY } }),
  listDaysOffTouched: ownDataCall({ query: { from: '2030-12-24', until: '2030-12-26' } }),
  addDaysOff: {
    prepare: async (scenario) => ({
      input: { body: newDaysOff(scenario) },
    }),
    strangerResult: 'own',
  },
  removeDaysOff: {
    prepare: async (scenario) => {
      const { id } = await scenario.participants.scrub.api.addDaysOff({ body: newDaysOff(scenario) });
      return { input: { params: { id } } };
    },
    strangerResult: 404,
  },
  makeCalendarFeed: ownDataCall(),
  stopCalendarFeed: ownDataCall(),
  readCalendarFeed: {
    prepare: async (scenario) => ({ input: { params: { secret: await requestFeed(scenario) } } }),
    strangerResult: 'nobody',
  },
} satisfies Record<string, ValidCall>;
