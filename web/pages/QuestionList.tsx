import { Fold } from '../ui/Fold.tsx';
import styles from './QuestionList.module.css';
import type { Question } from './questions.ts';

/** Questions that open one at a time. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className={styles.list}>
      {questions.map(({ question, answer }) => (
        <Fold key={question} title={question} group="faq">
          <p className={styles.answer}>{answer}</p>
        </Fold>
      ))}
    </div>
  );
}
