import { Link } from 'react-router';
import type { PublicConfig } from '../../contract/payments.ts';
import { useConfig } from '../api/config.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import styles from './Faq.module.css';
import { describeServices } from './prices.tsx';
import { QuestionList } from './QuestionList.tsx';
import { listFirstQuestions, type Question } from './questions.ts';
import { TextPage } from './TextPage.tsx';

const TITLE = 'Frequently Asked Questions';
const SUBTITLE = 'Quick answers to common questions.';

/** spec 2.10 */
export function Faq() {
  return (
    <div className={styles.page}>
      <PageHeader title={TITLE} subtitle={SUBTITLE} />
      <FaqContent />
    </div>
  );
}

/** The same for people without an account: the landing page leads here. */
export function PublicFaq() {
  return (
    <TextPage title={TITLE} subtitle={SUBTITLE}>
      <div className={styles.publicContent}>
        <FaqContent />
      </div>
    </TextPage>
  );
}

function FaqContent() {
  const config = useConfig();
  const supportEmail = config?.supportEmail;
  return (
    <>
      <QuestionList questions={listQuestions(config)} />
      <section className={`card ${styles.more}`} aria-labelledby="contact">
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
    </>
  );
}

const OTHER_QUESTIONS = [
  {
    question: 'Can I choose when somebody comes?',
    answer:
      'Where your town offers times, you choose them when you order. Otherwise we come as soon as possible. You can change an agreed time until two hours before, free of charge. Laundry that is back sooner may cost more, as you see before you pay. In some towns money goes back to your card by itself when laundry is not back by the promised time.',
  },
  {
    question: 'How are Scrubs and Dubers paid?',
    answer: 'Providers and drivers are paid weekly, minus platform fees.',
  },
  {
    question: 'Can Scrubs choose when they work?',
    answer:
      'Yes. Scrubs set their own schedule and can accept or reject orders: nobody gives them hours. They can turn Visibility off whenever they need a break. Then nobody new finds them.',
  },
  {
    question: 'How do I become a Duber?',
    answer: 'Sign up as a Duber and complete profile verification. Dubers are paid per completed delivery.',
  },
] as const satisfies readonly Question[];

/** All questions, with the prices in force and the services of the town. */
function listQuestions(config: PublicConfig | undefined): readonly Question[] {
  const services = { question: 'Which services are there?', answer: describeServices(config?.notOffered) };
  return [...listFirstQuestions(config), services, ...OTHER_QUESTIONS];
}
