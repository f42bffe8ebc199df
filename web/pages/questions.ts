import type { PublicConfig } from '../../contract/payments.ts';
import { describePrices } from './prices.tsx';

export type Question = { readonly question: string; readonly answer: string };

// spec 1, the FAQ's content. The rest is in allQuestions.ts, which the landing page does not load.
const FIRST_QUESTIONS = [
  {
    question: 'How do I pay?',
    answer:
      'By card, in the app. We hold the total when you place your order. We charge it once your Scrub accepts or, where laundry is weighed, once they have weighed it. If the order is cancelled or rejected, you get it back.',
  },
  {
    question: 'How can I follow my order?',
    answer:
      'Open it under Orders. You see every step with its time, and the page updates by itself when your Scrub or Duber takes the next one.',
  },
  {
    question: 'Can I cancel an order?',
    answer:
      'Yes, until your laundry is collected. It is free until a Duber has set out; after that you pay for their trip. You see what it costs before you cancel.',
  },
] as const satisfies readonly Question[];

/** What people want to know before they sign up, with the prices in force. */
export function listFirstQuestions(config: PublicConfig | undefined): readonly Question[] {
  const answer = describePrices(config?.prices, config?.notOffered);
  return [{ question: 'How much does it cost?', answer }, ...FIRST_QUESTIONS];
}
