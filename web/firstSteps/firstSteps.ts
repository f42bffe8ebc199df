import type { Role } from '../../domain/accounts.ts';
import type { OrderStatus } from '../../domain/orders.ts';

/** What a browser allows here; 'no' when it cannot or must not be asked. */
export type DeviceAnswer = 'yes' | 'notYet' | 'no';

type CommonFacts = { readonly addresses: number; readonly notifications: DeviceAnswer };

/** Facts about a possibly new user, from the server and this device. */
export type NewcomerFacts =
  | (CommonFacts & { readonly role: 'Bud'; readonly orders: number; readonly completed: number })
  | (CommonFacts & {
      readonly role: 'Scrub';
      readonly isVisible: boolean;
      readonly jobs: readonly OrderStatus[];
      readonly completed: number;
    })
  | (CommonFacts & {
      readonly role: 'Duber';
      readonly location: DeviceAnswer;
      readonly deliveries: number;
      readonly delivered: number;
    });

export type FirstStepName = 'address' | 'visible' | 'location' | 'notifications' | 'order' | 'job' | 'delivery';
export type FirstStep = { readonly name: FirstStepName; readonly isDone: boolean };

/** The first steps of a new user, done or not. None for a user with a history, and none once all are done. */
export function findFirstSteps(facts: NewcomerFacts): readonly FirstStep[] {
  if (hasHistory(facts)) return [];
  const steps = allSteps(facts);
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

/** A second order, job or delivery, or a finished one. */
export function hasHistory(facts: NewcomerFacts): boolean {
  const finished = facts.role === 'Duber' ? facts.delivered : facts.completed;
  return finished > 0 || countBegun(facts) > 1;
}

function countBegun(facts: NewcomerFacts): number {
  if (facts.role === 'Bud') return facts.orders;
  return facts.role === 'Scrub' ? facts.jobs.length : facts.deliveries;
}

const ACCEPTED_JOB: readonly OrderStatus[] = ['Accepted', 'In_Progress', 'Completed'];

function allSteps(facts: NewcomerFacts): FirstStep[] {
  const address: FirstStep = { name: 'address', isDone: facts.addresses > 0 };
  const notifications = deviceStep('notifications', facts.notifications);
  if (facts.role === 'Bud') return [address, { name: 'order', isDone: facts.orders > 0 }, ...notifications];
  if (facts.role === 'Scrub')
    return [
      address,
      { name: 'visible', isDone: facts.isVisible },
      ...notifications,
      { name: 'job', isDone: facts.jobs.some((status) => ACCEPTED_JOB.includes(status)) },
    ];
  return [
    address,
    ...deviceStep('location', facts.location),
    ...notifications,
    { name: 'delivery', isDone: facts.deliveries > 0 },
  ];
}

/** Nothing is asked for that this device cannot do. */
const deviceStep = (name: FirstStepName, answer: DeviceAnswer): FirstStep[] =>
  answer === 'no' ? [] : [{ name, isDone: answer === 'yes' }];

type FirstStepText = { readonly label: string; readonly hint: string; readonly to?: string };

const NOTIFICATIONS = { label: 'Turn on notifications', to: '/profile' } as const;

/** What each step says, and where it is taken. One without a place has a control elsewhere on the screen. */
export const FIRST_STEP_TEXTS: { readonly [R in Role]: Partial<Record<FirstStepName, FirstStepText>> } = {
  Bud: {
    address: { label: 'Add your address', hint: 'We look for Scrubs around it.', to: '/profile' },
    order: { label: 'Place your first order', hint: 'It takes about two minutes.', to: '/bud/place-order' },
    notifications: { ...NOTIFICATIONS, hint: 'We tell you when your laundry moves.' },
  },
  Scrub: {
    address: { label: 'Set your place', hint: 'Buds find you within 5 km of it.', to: '/profile' },
    visible: { label: 'Become visible', hint: 'Use the switch at the top of the page.' },
    notifications: { ...NOTIFICATIONS, hint: 'Hear about a new job at once.' },
    job: { label: 'Accept your first job', hint: 'New jobs are listed below.', to: '/scrub/jobs' },
  },
  Duber: {
    address: { label: 'Set your address', hint: 'We look for deliveries around it.', to: '/profile' },
    location: { label: 'Allow your location', hint: 'Then we search where you are.' },
    notifications: { ...NOTIFICATIONS, hint: 'Hear about a delivery nearby at once.' },
    delivery: { label: 'Accept your first delivery', hint: 'New ones are listed below.' },
  },
};
