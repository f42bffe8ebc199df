import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Exports } from './Exports.tsx';
import { LedgerSearch } from './LedgerSearch.tsx';
import styles from './MoneyPage.module.css';
import { Payouts } from './Payouts.tsx';
import { Problems } from './Problems.tsx';
import { Weeks } from './Weeks.tsx';

/** What the town earns and owes, and problems that need an operator. */
export function MoneyPage() {
  return (
    <>
      <PageHeader title="Money" subtitle="What the town earns and owes. The ledger behind it never changes.">
        <Button component={Link} to="/operator/reconciliation" variant="default">
          Reconciliation
        </Button>
      </PageHeader>
      <div className={styles.sections}>
        <Problems />
        <Payouts />
        <Weeks />
        <Exports />
        <LedgerSearch />
      </div>
    </>
  );
}
