import type { PublicPrices } from '../../contract/payments.ts';
import { listFirstQuestions, type Question } from './questions.ts';

const OTHER_QUESTIONS = [
  {
    question: 'Which services are there?',
    answer: 'Wash and fold, dry cleaning, delicate care and specialty.',
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
] as const satisfies readonly Question[];

/** All questions, with the prices in force. */
export function listQuestions(prices: PublicPrices | undefined): readonly Question[] {
  return [...listFirstQuestions(prices), ...OTHER_QUESTIONS];
}
