import { Icon } from '../ui/icons.tsx';
import styles from './QuestionList.module.css';
import type { Question } from './questions.ts';

/** Questions that open one at a time, also without a script. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
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
  );
}
