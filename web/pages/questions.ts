import type { PublicPrices } from '../../contract/payments.ts';
import { describePrices } from './prices.tsx';

export type Question = { readonly question: string; readonly answer: string };

// spec 1, the FAQ's content
const OTHER_QUESTIONS = [
  {
    question: 'Which services are there?',
    answer: 'Wash and fold, dry cleaning, delicate care and specialty.',
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, in the app. We hold the total when you place your order and charge it once your Scrub accepts. If the order is cancelled or rejected, we release the hold.',
  },
  {
    question: 'How are Scrubs and Dubers paid?',
    answer: 'Providers and drivers are paid weekly, minus platform fees.',
  },
  {
    question: 'Can Scrubs choose when they work?',
    answer:
      'Yes. Scrubs set their own schedule and can accept or reject orders. They can turn Visibility off whenever they need a break.',
  },
  {
    question: 'How do I become a Duber?',
    answer: 'Sign up as a Duber and complete profile verification. Dubers are paid per completed delivery.',
  },
  {
    question: 'How can I follow my order?',
    answer:
      'Open it under Orders. You see every step with its time, and the page updates by itself when your Scrub or Duber takes the next one.',
  },
  {
    question: 'Can I cancel an order?',
    answer: 'Yes, until your Scrub accepts it. After that, email us and we will see what we can do.',
  },
] as const satisfies readonly Question[];

/** All questions, with the prices in force. */
export function listQuestions(prices: PublicPrices | undefined): readonly Question[] {
  return [{ question: 'How much does it cost?', answer: describePrices(prices) }, ...OTHER_QUESTIONS];
}

const ASKED_FIRST = ['How much does it cost?', 'How do I pay?', 'How can I follow my order?', 'Can I cancel an order?'];

/** What people want to know before they sign up. */
export function listFirstQuestions(prices: PublicPrices | undefined): readonly Question[] {
  return listQuestions(prices).filter(({ question }) => ASKED_FIRST.includes(question));
}
