import { describe, expect, test } from 'vitest';
import type { TownCaseDetails } from '../../../contract/operator/cases.ts';
import { deliveryOf, dubersToChoose, liableChoices, townAnswerText, townEventText } from './townCaseTexts.ts';

const [IDA, BEN] = [
  { deliveryId: 'there', name: 'Ida' },
  { deliveryId: 'back', name: 'Ben' },
];
const PERSON = { id: 'somebody', name: 'Somebody' };
const caseWith = (dubers: TownCaseDetails['dubers'], duber: TownCaseDetails['people'] | null = null) =>
  ({ dubers, people: { bud: PERSON, scrub: PERSON, duber } }) as unknown as TownCaseDetails;
const duberOf = (found: TownCaseDetails) => liableChoices(found).find(({ value }) => value === 'duber')?.label;

describe('who bears a decision', () => {
  test('is chosen among the Dubers when several have had the laundry and the case is about none of them', () => {
    const found = caseWith([IDA, BEN]);
    expect([duberOf(found), dubersToChoose(found)]).toEqual(['A Duber', [IDA, BEN]]);
    expect([deliveryOf(found, ''), deliveryOf(found, 'back')]).toEqual([undefined, 'back']);
  });

  test('is known when one Duber has had the laundry, or the case is about one', () => {
    const ofOne = caseWith([IDA]);
    expect([duberOf(ofOne), dubersToChoose(ofOne), deliveryOf(ofOne, '')]).toEqual(['Ida (Duber)', [], 'there']);
    const about = caseWith([IDA, BEN], PERSON as never);
    expect([duberOf(about), dubersToChoose(about), deliveryOf(about, '')]).toEqual(['Somebody (Duber)', [], undefined]);
  });

  test('is no Duber when none has had the laundry', () => {
    expect([duberOf(caseWith([])), dubersToChoose(caseWith([]))]).toEqual([undefined, []]);
  });
});

test('operators read that an accepted offer to clean again happens, without an amount', () => {
  const event = {
    action: 'accept-offer',
    by: 'Bud',
    status: 'decided',
    words: null,
    fileIds: [],
    place: null,
  } as const;
  const happened = { ...event, name: 'Ada', createdAt: '2026-01-05T10:00:00.000Z', amount: 0 } as const;
  expect(townEventText({ ...happened, offer: 'clean-again' })).toBe(
    'Ada (Bud) accepted the offer: the laundry is cleaned again',
  );
  expect(townEventText({ ...happened, offer: 'give-back', amount: 5 })).toBe('Ada (Bud) accepted the offer, $5.00');
});

test('operators read the last answer of a case as an answer, not as an offer', () => {
  const found = { offer: { kind: 'was-before', amount: null } } as unknown as TownCaseDetails;
  expect(townAnswerText(found)).toBe('It was like that before');
  expect(townAnswerText({ ...found, offer: { kind: 'give-back', amount: 12 } } as TownCaseDetails)).toBe(
    'Give money back, $12.00',
  );
  expect(townAnswerText({ ...found, offer: null })).toBeUndefined();
});
