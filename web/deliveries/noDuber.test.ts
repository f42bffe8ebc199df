import { expect, test } from 'vitest';
import { describeNoDuber } from './noDuber.ts';

const afterSteps = (...actions: string[]) => ({
  status: 'Pending' as const,
  exceptions: actions.map((action) => ({ action })),
});

test('a delivery whose Duber gave it up, or lost it, does not say that nobody has accepted it', () => {
  for (const action of ['drop-delivery', 'take-off', 'silent']) {
    expect(describeNoDuber(afterSteps(action), 'Bud')).toBe('Your Duber could not come. We ask the others nearby.');
    expect(describeNoDuber(afterSteps(action), 'Scrub')).toBe('The Duber could not come. We ask the others nearby.');
  }
});

test('a delivery that nobody has accepted, or that is offered again or called off, says so', () => {
  const nobody = 'No Duber has accepted this delivery yet';
  for (const delivery of [afterSteps(), afterSteps('drop-delivery', 'pickup-failed', 're-offer')])
    expect(describeNoDuber(delivery, 'Bud')).toBe(nobody);
  const calledOff = { ...afterSteps('drop-delivery', 'call-off'), status: 'Called_Off' as const };
  expect(describeNoDuber(calledOff, 'Bud')).toBe('No Duber is needed for it any more');
});
