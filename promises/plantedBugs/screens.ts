// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const LIVE_PAGES = 'web/live/affectedQueries.test.ts';
const FIRST_STEPS = 'web/firstSteps/firstSteps.test.ts';
const file = 'web/live/affectedQueries.ts';

/** Bugs in what the screens do with live events, in what they show to whom, and in the landing page. */
export const SCREEN_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a step whose photo is still being sent is stored nowhere',
    file: 'web/deliveries/queuedSteps/takeOrQueue.ts',
    find: 'const sent = photos.length > 0 && (await',
    replace: 'const sent = photos.length < 0 && (await',
    suite: 'web/deliveries/queuedSteps/takeOrQueue.test.ts',
  },
  {
    bug: 'a step whose request hangs is stored nowhere',
    file: 'web/deliveries/queuedSteps/takeOrQueue.ts',
    find: 'answerWithin(MOMENT_MS,',
    replace: 'answerWithin(MOMENT_MS * 100,',
    suite: 'web/deliveries/queuedSteps/takeOrQueue.test.ts',
  },
  {
    bug: 'the PIN, place and words of a step that was not sent stay on the phone after its user has signed out',
    file: 'web/deliveries/queuedSteps/endedSession.ts',
    find: 'store.put(withoutDetails(step, step.problem ?? SIGNED_OUT));',
    replace: 'store.put({ ...step, photos: [], problem: step.problem ?? SIGNED_OUT });',
    suite: 'web/accounts/session.test.ts',
  },
  {
    bug: 'signing out loses steps that were not sent without a word',
    file: 'web/accounts/signOutOnPurpose.ts',
    find: 'if (waiting === 0 || window.confirm(lossOf(waiting)))',
    replace: 'if (waiting >= 0 || window.confirm(lossOf(waiting)))',
    suite: 'web/accounts/session.test.ts',
  },
  {
    bug: 'the next person to sign in sees the result of a step of the previous one',
    file: 'web/queryClient.ts',
    find: 'const isTheirs = before === undefined ||',
    replace: 'const isTheirs = before !== null ||',
    suite: 'web/deliveries/useDelivery.test.ts',
  },
  {
    bug: 'the next person to sign in sees a toast about a stored step of the previous one',
    file: 'web/deliveries/queuedSteps/sendQueue.ts',
    find: '      // Not for somebody who has signed in since.\n      if (!isSignedIn(userId)) return;\n',
    replace: '',
    suite: 'web/deliveries/queuedSteps/sendQueue.test.ts',
  },
  {
    bug: 'the delivery of a stored step is asked for with the token of somebody else',
    file: 'web/deliveries/queuedSteps/sendQueue.ts',
    find: '    readDelivery: async (id) => {\n      requireSessionOf(userId);\n',
    replace: '    readDelivery: async (id) => {\n',
    suite: 'web/deliveries/queuedSteps/sendQueue.test.ts',
  },
  {
    bug: 'a photo on a slow network loses the step that it proves',
    file: 'web/ui/errorMessage.ts',
    find: 'error.statusCode === 408 || ',
    replace: '',
    suite: 'web/ui/errorMessage.test.ts',
  },
  {
    bug: 'a promo code is left out of what a Bud pays for a Duber of a cancelled order',
    file: 'web/orders/refund.ts',
    find: 'toDollars(cents - discountOn(',
    replace: 'toDollars(cents - 0 * discountOn(',
    suite: 'web/orders/refund.test.ts',
  },
  {
    bug: 'the price slider forgets the way back',
    file: 'web/pages/priceEstimate.ts',
    find: 'selfPickup: false }',
    replace: 'selfPickup: true }',
    suite: 'web/pages/priceEstimate.test.ts',
  },
  {
    bug: 'the landing page that is built names a price',
    file: 'web/pages/priceEstimate.ts',
    find: ': `One price for each load: ${list}.',
    replace: ': `One price for each load, from $17.92: ${list}.',
    suite: 'web/prerender.test.ts',
  },
  {
    bug: 'the prerendered sign-in takes input that is lost when the app replaces it',
    file: 'web/prerender.tsx',
    find: "    .replaceAll('<input ', '<input readonly ')\n",
    replace: '',
    suite: 'web/prerender.test.ts',
  },
  {
    bug: 'a tab of an older version takes a status for its own that it does not know',
    file: 'web/live/isLiveEvent.ts',
    find: "typeof value === 'string' && known.includes(value)",
    replace: "typeof value === 'string' && known.length > 0",
    suite: 'web/live/isLiveEvent.test.ts',
  },
  {
    bug: 'the screens of a case learn nothing of its steps',
    file: 'web/live/isLiveEvent.ts',
    find: "  if (entity === 'case') return isOneOf(CASE_STATUSES, rest.status);\n",
    replace: '',
    suite: 'web/live/isLiveEvent.test.ts',
  },
  {
    bug: "a Scrub's earnings page is not refreshed when an order is Completed",
    file,
    find: "if (kind === 'earnings') return event.status === 'Completed';",
    replace: "if (kind === 'earnings') return false;",
    suite: LIVE_PAGES,
  },
  {
    bug: "a Duber's earnings page is not refreshed when a delivery is Delivered",
    file,
    find: "return kind === 'earnings' && PAYING_STATUSES.includes(event.status);",
    replace: 'return false;',
    suite: LIVE_PAGES,
  },
  {
    bug: "a Bud's dashboard does not follow the delivery of its live order",
    file,
    find: "if (kind === 'dashboards') return role !== 'Scrub';",
    replace: "if (kind === 'dashboards') return role === 'Duber';",
    suite: LIVE_PAGES,
  },
  {
    bug: "an order's page is not refreshed when its delivery moves on",
    file,
    find: 'deliveryIdsOf(data).includes(event.id));',
    replace: 'false);',
    suite: LIVE_PAGES,
  },
  {
    bug: 'earnings are not fetched again after a gap in the stream',
    file,
    find: "'dashboards', 'earnings'];",
    replace: "'dashboards'];",
    suite: LIVE_PAGES,
  },
  {
    bug: 'somebody who has finished an order is shown the first steps again',
    file: 'web/firstSteps/firstSteps.ts',
    find: 'return finished > 0 || countBegun(facts) > 1;',
    replace: 'return countBegun(facts) > 1;',
    suite: FIRST_STEPS,
  },
  {
    bug: 'the small map of a delivery is upside down',
    file: 'web/deliveries/offers/mapDrawing.ts',
    find: 'Math.sign(first.latitude - place.latitude)',
    replace: 'Math.sign(place.latitude - first.latitude)',
    suite: 'web/deliveries/offers/mapDrawing.test.ts',
  },
];
