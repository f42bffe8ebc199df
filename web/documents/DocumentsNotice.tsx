import { Link } from 'react-router';
import { useNow } from '../hooks/useNow.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './Documents.module.css';
import { useDocuments } from './documentsQuery.ts';
import { noticeOf } from './documentTexts.ts';

/** On the dashboard: what a worker does about their documents, or waits for. */
export function DocumentsNotice() {
  const { data } = useDocuments();
  const now = useNow(true);
  const notice = data && noticeOf(data, now);
  if (!notice) return null;
  return (
    <section className={styles.notice} aria-label="Your documents">
      <Icon name={notice.isToDo ? 'alert' : 'info'} />
      <div>
        <p className={styles.title}>{notice.title}</p>
        <p>{notice.text}</p>
        <p>
          <Link to="/profile">{notice.isToDo ? 'Send documents' : 'Your documents'}</Link>
        </p>
      </div>
    </section>
  );
}
