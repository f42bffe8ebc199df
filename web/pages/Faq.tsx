import { Link } from 'react-router';
import { useConfig } from '../config.ts';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import styles from './Faq.module.css';
import { describePrices } from './prices.tsx';

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
] as const;

export function Faq() {
  const config = useConfig();
  const supportEmail = config?.supportEmail;
  const questions = [
    { question: 'How much does it cost?', answer: describePrices(config?.prices) },
    ...OTHER_QUESTIONS,
  ];
  return (
    <div className={styles.page}>
      <PageHeader title="Frequently Asked Questions" subtitle="Quick answers to common questions." />
      <div className={styles.list}>
        {questions.map(({ question, answer }) => (
          <details key={question} className={styles.item} name="faq">
            <summary>
              {question}
              <Icon name="down" />
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
      <section className="card" aria-labelledby="contact">
        <div className={styles.contact}>
          <h2 id="contact">Still have a question?</h2>
          <p className="quiet">Email us. A real person will reply.</p>
          {supportEmail && (
            <p>
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
            </p>
          )}
        </div>
        <p className={styles.links}>
          <Link to="/terms">Terms of Service</Link>
          <Link to="/privacy">Privacy Policy</Link>
        </p>
      </section>
    </div>
  );
}
