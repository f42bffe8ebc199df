/** The policies of an installation: their values and what they mean. The first value is the default, which needs no row. */
export const POLICIES = {
  privacy: {
    open: [
      'Dubers see the names and the exact places of deliveries that wait, and Scrubs those of orders they are asked to do.',
      'A Duber sees email and phone until 7 days after the delivery. A Bud and a Scrub keep seeing them.',
    ],
    careful: [
      'People who have not accepted the work see places rounded to about 300 meters without house numbers, and names like "Ada L.".',
      "A Scrub sees a Bud's email and phone once they accept the order.",
      'Nobody else sees email, phone and exact places from 7 days after the order.',
      'Buds see Scrubs with their full name, and with their exact place once the order is accepted.',
    ],
  },
  silence: {
    open: ['A Duber who says nothing keeps a delivery until an operator takes it off them.'],
    careful: [
      'A Duber who has accepted a delivery, and neither takes a step nor shares a position for 20 minutes before the pickup, loses it to the next one.',
    ],
  },
  start: {
    open: ['A Scrub can start an accepted order, and complete it, at any time.'],
    careful: [
      'A Scrub can start an order once its laundry has arrived: by a Duber, or handed over by its Bud.',
      'A Scrub can complete an order while the laundry is with them, also when it is cleaned again.',
    ],
  },
  weighing: {
    open: ['Nobody weighs laundry. The card is charged once the Scrub accepts.'],
    careful: [
      'A Scrub weighs the laundry, with a photo of the scale, before an order can be completed. A Duber may weigh it on the way.',
      'The card is charged once the laundry is weighed: less if it is lighter, and more only up to the size that the Bud has chosen as the highest.',
      'What is heavier than that waits for the Bud for 2 hours. A price that was never weighed is charged after 6 days.',
      'Orders that were placed before keep the rules they were placed under.',
    ],
  },
  proof: {
    open: ['A PIN, bag codes and photos are offered when laundry changes hands. Nothing is refused without them.'],
    careful: [
      'A Duber collects laundry only with the codes of its bags, their number or a photo.',
      'A Duber delivers laundry, or brings it back, only with the PIN of the person who takes it, or once that person says on their own phone that they have it.',
      'Laundry stands at a door only if the Bud chose it, with a photo and the place.',
    ],
  },
  admission: {
    open: ['People who sign up as a Scrub or a Duber can work at once.'],
    careful: [
      'A Scrub or a Duber sends photos of their documents, and gets work once an operator has accepted them.',
      'People who have worked before go on for 30 days without them.',
      'A document that has expired counts no more. Its owner is told 30, 7 and 1 days before.',
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Each sets all policies to the value of its name. The first is what an installation without any row does. */
export const PRESETS = ['open', 'careful'] as const satisfies readonly PolicyValue<PolicyName>[];
export type Preset = (typeof PRESETS)[number];

export type PolicyName = keyof typeof POLICIES;
export type PolicyValue<N extends PolicyName> = keyof (typeof POLICIES)[N] & string;

export const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[];
export const policyValuesOf = <N extends PolicyName>(name: N) => Object.keys(POLICIES[name]) as PolicyValue<N>[];
