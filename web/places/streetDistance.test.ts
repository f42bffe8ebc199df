import { afterEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../api/queryClient.ts';
import { openQuestion, subscribeToQuestion } from '../ui/ask.ts';
import { confirmStreetOfPin } from './streetDistance.ts';

let stopAnswering: () => void = () => undefined;

afterEach(() => {
  stopAnswering();
  vi.unstubAllGlobals();
  queryClient.clear();
});

const HERON_STREET = { name: '40 Heron Street', at: [67.0034, 24.0012] as const };

/** Answers searches with one house, and questions with `answer`. Returns what was asked. */
function stubSearch({ answer = true, status = 200 } = {}): string[] {
  const asked: string[] = [];
  stopAnswering();
  stopAnswering = subscribeToQuestion(() => {
    const question = openQuestion();
    if (!question) return;
    asked.push(question.text);
    question.answer(answer);
  });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(url, 'http://rubadub.test');
    if (pathname === '/api/config') return Response.json({ mapbox: { baseUrl: 'http://search.test', token: 'pk' } });
    if (pathname.endsWith('/suggest'))
      return Response.json({ suggestions: [{ mapbox_id: 'a', name: HERON_STREET.name }] }, { status });
    return Response.json({
      features: [{ geometry: { coordinates: HERON_STREET.at }, properties: { name: HERON_STREET.name } }],
    });
  });
  return asked;
}

const pinAt = (lat: number, label = '') => ({ lat, lng: HERON_STREET.at[0], label, source: 'map' as const });
/** A degree of latitude is 111.2 km, so this is 200 m to the north. */
const FAR = pinAt(24.003);
const NEAR = pinAt(24.002);

describe('saving a street and a pin', () => {
  test('asks when they are more than 150 m apart, and the answer decides', async () => {
    for (const answer of [true, false]) {
      const asked = stubSearch({ answer });
      expect(await confirmStreetOfPin('Apt 4, 40 Heron Street, Soapwick', FAR)).toBe(answer);
      expect(asked).toEqual(['Your pin is 0.20 km away from 40 Heron Street.']);
    }
  });

  test('does not ask when they are close, when the street was found at the pin, or when neither has changed', async () => {
    const asked = stubSearch();
    expect(await confirmStreetOfPin('40 Heron Street', NEAR)).toBe(true);
    expect(await confirmStreetOfPin('40 Heron Street', { ...FAR, label: '40 Heron Street' })).toBe(true);
    expect(asked).toEqual([]);
  });

  test('does not ask about a text that names no house that is known, or while the search does not answer', async () => {
    const asked = stubSearch();
    for (const text of ['140 Heron Street', 'Heron Street', 'The blue house', ' '])
      expect(await confirmStreetOfPin(text, FAR)).toBe(true);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const askedWithoutSearch = stubSearch({ status: 503 });
    expect(await confirmStreetOfPin('40 Heron Street', FAR)).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    expect([...asked, ...askedWithoutSearch]).toEqual([]);
  });
});
