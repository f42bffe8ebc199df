import { PageHeader } from '../../ui/PageHeader.tsx';
import { Exports } from './Exports.tsx';
import styles from './MoneyPage.module.css';
import { Problems } from './Problems.tsx';
import { Weeks } from './Weeks.tsx';

/** What the town earns, week by week, and payments that need an operator. */
export function MoneyPage() {
  return (
    <>
      <PageHeader title="Money overview" subtitle="What was charged, given back and earned" />
      <div className={styles.sections}>
        <Problems />
        <Weeks />
        <Exports />
      </div>
    </>
  );
}
