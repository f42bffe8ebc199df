import { expect, test } from 'vitest';
import { describeNoDuber } from './noDuber.ts';

const afterSteps = (...actions: string[]) => ({
  status: 'Pending' as const,
  exceptions: actions.map((action) => ({ action })),
});

test('a delivery whose Duber gave it up, or lost it, does not say that nobody has accepted it', () => {
  const said = (action: string) => (['Bud', 'Scrub'] as const).map((role) => describeNoDuber(afterSteps(action), role));
  expect(said('drop-delivery')).toEqual([
    'Your Duber could not come. We ask the others nearby.',
    'The Duber could not come. We ask the others nearby.',
  ]);
  expect(said('take-off')).toEqual([
    'The town took your Duber off it. We ask the others nearby, so it may come later.',
    'The town took the Duber off it. We ask the others nearby, so it may come later.',
  ]);
  expect(said('silent')).toEqual([
    'We hear nothing from your Duber. We ask the others nearby, so it may come later.',
    'We hear nothing from the Duber. We ask the others nearby, so it may come later.',
  ]);
});

test('a delivery that nobody has accepted, or that is offered again or called off, says so', () => {
  const nobody = 'No Duber has accepted this delivery yet';
  for (const delivery of [afterSteps(), afterSteps('drop-delivery', 'pickup-failed', 're-offer')])
    expect(describeNoDuber(delivery, 'Bud')).toBe(nobody);
  const calledOff = { ...afterSteps('drop-delivery', 'call-off'), status: 'Called_Off' as const };
  expect(describeNoDuber(calledOff, 'Bud')).toBe('No Duber is needed for it any more');
});
