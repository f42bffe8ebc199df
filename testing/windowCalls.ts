import { createOrderInStatus } from './orderSteps.ts';
import { giveTimes, planWindows, windowAt } from './orderTimes.ts';
import type { Scenario, ValidCall } from './validCall.ts';

/** An order whose people have agreed on windows, and whose Scrub may have proposed other ones. */
async function createTimedOrder({ testServer, participants }: Scenario, isProposed = false): Promise<string> {
  const { id } = await createOrderInStatus(participants, 'Accepted');
  const { db } = testServer.server;
  await planWindows(db, testServer.now());
  await giveTimes(db, id, testServer.now());
  if (isProposed) await participants.scrub.api['propose-window']({ params: { id }, body: bodyFor(testServer.now()) });
  return id;
}

const bodyFor = (now: Date) => ({ returnFrom: windowAt(now, 5, 17).from.toISOString(), reason: 'ill' });

/** The token in the link of the mail about a proposal. */
async function requestProposalToken(scenario: Scenario): Promise<string> {
  await createTimedOrder(scenario, true);
  const { email } = scenario.participants.bud.user;
  const { text } = await scenario.testServer.waitForMail(email, 'Another time');
  return /other-time\?token=(\S+)/.exec(text)?.[1] ?? '';
}

const answerCall: ValidCall = {
  prepare: async (scenario) => ({ input: { params: { id: await createTimedOrder(scenario, true) }, body: {} } }),
  strangerResult: 404,
};

export const WINDOW_CALLS = {
  'move-window': {
    prepare: async (scenario) => {
      const { returnFrom } = bodyFor(scenario.testServer.now());
      return { input: { params: { id: await createTimedOrder(scenario) }, body: { returnFrom } } };
    },
    strangerResult: 404,
  },
  'propose-window': {
    prepare: async (scenario) => ({
      input: { params: { id: await createTimedOrder(scenario) }, body: bodyFor(scenario.testServer.now()) },
    }),
    strangerResult: 404,
  },
  'accept-window': answerCall,
  'refuse-window': answerCall,
  readOtherWindows: {
    prepare: async (scenario) => ({ input: { params: { id: await createTimedOrder(scenario) } } }),
    strangerResult: 404,
  },
  readProposal: {
    prepare: async (scenario) => ({ input: { query: { token: await requestProposalToken(scenario) } } }),
    strangerResult: 'nobody',
  },
  answerProposal: {
    prepare: async (scenario) => ({ input: { body: { token: await requestProposalToken(scenario), answer: 'no' } } }),
    strangerResult: 'nobody',
  },
} satisfies Record<string, ValidCall>;
