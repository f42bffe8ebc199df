import { describe, expect, test } from 'vitest';
import { type ActName, OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { describeChange } from './actSentences.ts';
import { formatTownDay, formatTownTime } from './townDay.ts';

const NEW_YORK = 'America/New_York';
const format = {
  time: (iso: string) => formatTownTime(iso, NEW_YORK, new Date('2026-11-30T18:00:00.000Z')),
  day: (iso: string) => formatTownDay(iso, NEW_YORK),
};
const sentence = (action: string, subjectId: string | null, details: Record<string, unknown>) =>
  describeChange({ action, subjectId, details }, format)?.replaceAll('\u00a0', ' ');

const ACTS = Object.entries(OPERATOR_API as Readonly<Record<string, OperatorCall>>).filter(([, { act }]) => act);
/** What must not stand in a sentence: a key of the API, an id, a value that is missing, a time of machines. */
const RAW = /[a-z][A-Z]|[a-z]-[a-z]+-[a-z]|[0-9a-f]{8}-|undefined|null|NaN|\[object|\d{4}-\d{2}-\d{2}|_/;

/** The details that the audit has besides the request, once an act is done. */
const CHANGED: Partial<Record<ActName, object>> = {
  setPrice: { before: 2.5, unit: 'dollars', from: '2026-12-01T05:00:00.000Z' },
  setPolicy: { before: 'open', from: '2026-12-01T05:00:00.000Z' },
  setPreset: { from: '2026-12-01T05:00:00.000Z' },
  setLimits: { before: { refundLimitOrder: 20, refundLimitDay: 100 } },
  setTimeZone: { before: 'UTC' },
  setUpTown: { timeZoneBefore: 'UTC' },
  setIdentity: { before: { name: 'Rubadub', color: '#0b6e8b' } },
  changeRights: { fullname: 'Grace Stone' },
  refundOrder: { refundId: 'one', taxes: 0.4, isEverything: true },
  runPayouts: { people: 3, amount: 120.5, earnedBefore: '2026-11-30T05:00:00.000Z' },
  sendPayouts: { people: 1, batch: '2026-11-23-0123abcd' },
  suspend: { until: '2026-12-14T05:00:00.000Z', work: ['R-1042: another'] },
  extendSuspension: { before: '2026-12-14T17:00:00.000Z' },
  admitWorker: { fullname: 'Dora Duber', accepted: ['licence', 'insurance'] },
  askDocumentsAgain: { fullname: 'Dora Duber', kinds: ['licence'] },
  addClosure: { fromAt: '2030-12-25T05:00:00.000Z', untilAt: '2030-12-26T05:00:00.000Z' },
  takeBackClosure: {
    fromAt: '2030-12-25T05:00:00.000Z',
    untilAt: '2030-12-26T05:00:00.000Z',
    words: 'Merry Christmas!',
  },
  addZone: { from: '2026-12-01T05:00:00.000Z' },
  drawZone: { zone: 'Riverside', from: '2026-12-01T05:00:00.000Z', before: null },
  setZonePrices: { zone: 'Riverside', from: '2026-12-01T05:00:00.000Z', before: [] },
  endPromo: { code: 'WELCOME5', uses: 7 },
  sendBroadcast: { broadcastId: 'one', people: 12 },
  'order-cancel-by-operator': { wayHome: 'bring', waysPaidBy: 'bud', status: 'Cancelled', round: 1 },
};

describe('the sentence of a change', () => {
  test.each(ACTS)('of %s reads as words, when it is asked for and when it is done', (name, { example }) => {
    const { params, body } = example as { params?: { id?: string }; body: Record<string, unknown> };
    const { reason: _reason, ...asked } = body;
    for (const details of [asked, { ...asked, ...CHANGED[name as ActName] }]) {
      const text = sentence(name, params?.id ?? null, details) ?? '';
      expect(text.length).toBeGreaterThan(5);
      expect(text.replaceAll(/“[^”]*”|\S+@\S+/g, '')).not.toMatch(RAW);
    }
  });

  test('says the old and the new price, and from which day of the town', () => {
    const from = '2026-12-01T05:00:00.000Z';
    expect(sentence('setPrice', 'wash-and-fold', { value: 3, before: 2.5, from })).toBe(
      'Wash and fold $2.50 → $3.00 per pound from 01 Dec 2026',
    );
    expect(sentence('setPrice', 'taxes', { value: 8.25 })).toBe(
      'Taxes 8.25% of the load and the fee from the day after the approval',
    );
  });

  test('says the rule by its title, and a time zone by its name', () => {
    expect(sentence('setPolicy', 'weighing', { value: 'careful', before: 'open', from: '2026-12-01' })).toBe(
      'Weighing: Open → Careful from 01 Dec 2026',
    );
    expect(
      sentence('setIdentity', null, {
        name: 'Suds',
        color: '#7a1f5c',
        phone: null,
        before: { name: 'Rubadub', color: '#7a1f5c' },
      }),
    ).toBe('Name: Rubadub → Suds');
    expect(sentence('setTimeZone', null, { timeZone: NEW_YORK, before: 'UTC' })).toBe(
      'Days and weeks begin in UTC → America/New York',
    );
  });

  test('says only the days whose hours change', () => {
    const monday = { weekday: 'Monday', from: '08:00', until: '12:00' };
    const tuesday = { weekday: 'Tuesday', from: '08:00', until: '12:00' };
    const later = { ...tuesday, from: '09:00' };
    expect(sentence('setHours', null, { before: [monday, tuesday], hours: [monday, later] })).toBe(
      'Tuesday: 8:00 am to 12:00 pm → 9:00 am to 12:00 pm',
    );
  });

  test('of a request is that of the act, and a decision about a request says who had asked', () => {
    const details = { value: 3, before: 2.5, from: '2026-12-01', act: 'setPrice' };
    const ask = describeChange({ action: 'ask', act: 'setPrice', subjectId: 'pickup', details }, format);
    expect(ask).toBe('Pickup by a Duber $2.50 → $3.00 from 01 Dec 2026');
    expect(sentence('decline', 'pickup', { askedBy: 'Ada Admin' })).toBe('Ada Admin had asked for it');
  });

  test('is missing for an action that this console does not know', () => {
    expect(sentence('newerAct', null, {})).toBeUndefined();
  });
});
