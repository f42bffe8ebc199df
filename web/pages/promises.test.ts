import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, test } from 'vitest';
import type { PublicConfig } from '../../contract/payments.ts';
import { OTHER_SERVICES } from '../../domain/services.ts';
import { PUBLIC_TEXTS } from '../../promises/texts.ts';
import { DEFAULT_PRICES } from '../../testing/defaultPrices.ts';
import { queryClient } from '../api/queryClient.ts';
import { PublicFaq } from './Faq.tsx';
import { Landing } from './Landing.tsx';
import { Privacy } from './Privacy.tsx';
import { Terms } from './Terms.tsx';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = { Landing, PublicFaq, Terms, Privacy };

/** The configurations in which the pages say something else. */
const CONFIGS: readonly (Partial<PublicConfig> | undefined)[] = [
  undefined,
  { prices: DEFAULT_PRICES, supportEmail: 'help@town.example' },
  { prices: { ...DEFAULT_PRICES, pickup: 4.5 }, weighsLaundry: true, supportEmail: '' },
  { prices: DEFAULT_PRICES, notOffered: ['dry-cleaning'], supportEmail: '' },
  { prices: DEFAULT_PRICES, notOffered: [...OTHER_SERVICES], supportEmail: '' },
];

afterEach(() => queryClient.clear());

/** Everything that a page says in whole sentences, and in lines of five words or more. */
function sentencesOf(page: FunctionComponent): string[] {
  const screen = createElement(MemoryRouter, null, createElement(page));
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, screen));
  const lines = html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<\/a>\s*<a\b/g, '</a>\n<a')
    .replaceAll(/<\/?(?:a|strong|small|span|em)\b[^>]*>/g, '')
    .split(/<[^>]*>|\n/)
    .map(readable);
  return lines.flatMap((line) => line.split(/(?<=[.?!])\s+(?=[A-Z“])/)).filter(isSentence);
}

const readable = (html: string) =>
  html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
const isSentence = (line: string) => /[.!]$/.test(line) || (!line.endsWith('?') && line.split(' ').length >= 5);

const known = new Map(PUBLIC_TEXTS.flatMap((text) => text.sentences.map((sentence) => [sentence, text] as const)));

describe('the pages that everybody reads', () => {
  const said = new Set<string>();
  for (const [name, page] of Object.entries(PAGES)) {
    test(`promise nothing on ${name} that no code or person keeps`, () => {
      for (const config of CONFIGS) {
        queryClient.clear();
        if (config) queryClient.setQueryData(['config'], config);
        const sentences = sentencesOf(page);
        for (const sentence of sentences) said.add(sentence);
        expect(sentences.filter((sentence) => !known.has(sentence))).toEqual([]);
      }
    });
  }

  test('say every sentence of the list', () => {
    expect([...known.keys()].filter((sentence) => !said.has(sentence))).toEqual([]);
  });

  test('are kept by files that exist: code, and tests that try it', () => {
    for (const { sentences, keptBy } of PUBLIC_TEXTS) {
      if (typeof keptBy === 'string') continue;
      for (const file of keptBy) expect(existsSync(join(ROOT, file)), `${file} of “${sentences[0]}”`).toBe(true);
      expect(
        keptBy.some((file) => /\.test\.tsx?$/.test(file)),
        `a test of “${sentences[0]}”`,
      ).toBe(true);
    }
  });

  test('say each sentence for one reason', () => {
    const all = PUBLIC_TEXTS.flatMap(({ sentences }) => sentences);
    expect(all).toEqual([...new Set(all)]);
  });
});
