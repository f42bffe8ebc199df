import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentTime } from '../clock.ts';
import { formatDay } from '../ui/format.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { SectionHeader } from '../ui/SectionHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { PAYOUT_ACCOUNT_QUERY } from './payoutAccountQuery.ts';

const PayoutAccountDialog = lazyPart(
  'The form',
  async () => (await import('./PayoutAccountDialog.tsx')).PayoutAccountDialog,
  { failure: 'toast' },
);

/** The payout account, by the last digits of its number. */
export function PayoutAccountCard() {
  const [isChanging, setChanging] = useState(false);
  const asked = useQuery(PAYOUT_ACCOUNT_QUERY);
  const account = asked.data?.account;
  return (
    <section>
      <SectionHeader title="Your Bank Account">
        {asked.data && (
          <Button variant={account ? 'default' : 'filled'} onClick={() => setChanging(true)}>
            {account ? 'Change' : 'Add'}
          </Button>
        )}
      </SectionHeader>
      {asked.isPending && <Skeleton width="60%" />}
      {asked.isError && <p>Your bank account did not load. Please refresh the page.</p>}
      {asked.data && !account && <p className="quiet">You have not added one yet. We need it to pay you.</p>}
      {account && (
        <p>
          {account.method === 'iban' ? 'IBAN' : 'Account'} ···{account.last4}
          {new Date(account.paysFrom) > currentTime() && (
            <span className="quiet">
              . Payouts wait until {formatDay(account.paysFrom)}, because the account is new.
            </span>
          )}
        </p>
      )}
      {isChanging && <PayoutAccountDialog onClose={() => setChanging(false)} />}
    </section>
  );
}
