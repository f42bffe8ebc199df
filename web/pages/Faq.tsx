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
      'In the app, by card. Your card is only held when you place the order, and charged once your Scrub accepts it. If the order is cancelled or rejected, the hold is released.',
  },
  {
    question: 'How are Scrubs and Dubers paid?',
    answer: 'Providers and drivers are paid weekly, minus platform fees.',
  },
  {
    question: 'Can Scrubs choose when they work?',
    answer:
      'Yes. Scrubs set their own schedule and can accept or reject orders. The Visibility switch takes them off the list whenever they like.',
  },
  {
    question: 'How do I become a Duber?',
    answer: 'Sign up as a Duber and complete profile verification. Dubers are paid per completed delivery.',
  },
  {
    question: 'How do I follow my order?',
    answer:
      'Open it under Orders: the timeline shows every step with its time, and the page changes by itself when your Scrub or your Duber takes the next one.',
  },
  {
    question: 'Can I cancel an order?',
    answer: 'Yes, for as long as it is Requested. Once a Scrub has accepted it, please talk to them.',
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
      <PageHeader title="Frequently Asked Questions" subtitle="Short answers to what people ask most." />
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
          <h2 id="contact">Still wondering?</h2>
          <p className="quiet">Write to us, and a person answers.</p>
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
