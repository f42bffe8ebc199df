import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileDownload, PayoutRow, WaitingCredit } from '../../../contract/operator/payouts.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { formatDateInText, formatDay, formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { PageButtons } from '../PageButtons.tsx';
import styles from './MoneyPage.module.css';
import { WAIT_TEXTS } from './moneyTexts.ts';
import { FileButton } from './PayoutFile.tsx';
import { TownBankCard } from './TownBankCard.tsx';

/** A file has the payouts of its whole batch, so its button stands on the first of them. */
const columnsWith = (rows: readonly PayoutRow[], downloads: readonly FileDownload[]): readonly Column<PayoutRow>[] => [
  { header: 'Person', cardSlot: 'name', cell: ({ person }) => `${person.name} (${person.role})` },
  { header: 'Earned before', cardSlot: 'date', cell: ({ earnedBefore }) => formatDay(earnedBefore) },
  { header: 'State', cell: describeState },
  {
    header: 'File',
    cardSlot: 'actions',
    cell: ({ id, batch }) =>
      batch &&
      rows.find((row) => row.batch === batch)?.id === id && (
        <FileButton batch={batch} downloads={downloads.filter((download) => download.batch === batch)} />
      ),
  },
  {
    header: 'Bank',
    cardSlot: 'actions',
    cell: (payout) => payout.state === 'sent' && <ReturnButton payout={payout} />,
  },
  { header: 'Amount', cardSlot: 'money', align: 'end', cell: ({ amount }) => formatMoney(amount) },
];

function describeState({ sentAt, returnedAt }: PayoutRow): string {
  if (returnedAt !== null) return `Returned on ${formatDateInText(returnedAt)}`;
  return sentAt === null ? 'Due' : `Sent on ${formatDateInText(sentAt)}`;
}

/** What people are paid: what is due, what was sent, and what waits and why. */
export function PayoutsPage() {
  const [page, setPage] = useState(1);
  const payouts = useQuery({
    queryKey: ['payouts', page],
    queryFn: () => operatorApi.listPayouts({ query: { page: String(page) } }),
  });
  const failure = {
    title: 'The payouts did not load',
    error: payouts.error,
    onRetry: () => void payouts.refetch(),
    isRetrying: payouts.isFetching,
  };
  return (
    <div className={styles.section}>
      <PageHeader title="Payouts" subtitle="Made every Monday for what was earned before, and sent by two operators">
        <div className="buttons">
          <MakePayoutsButton />
          {payouts.data && payouts.data.due.amount > 0 && <SendPayoutsButton {...payouts.data.due} />}
        </div>
      </PageHeader>
      <DataTable
        label="Payouts"
        columns={columnsWith(payouts.data?.items ?? [], payouts.data?.downloads ?? [])}
        rows={payouts.data?.items}
        rowKey={({ id }) => id}
        empty="No payouts yet. They are made on Mondays"
        failure={payouts.isError ? failure : undefined}
      />
      <PageButtons page={page} hasMore={payouts.data?.hasMore} onPage={setPage} />
      {payouts.data && payouts.data.waiting.length > 0 && <Waiting credits={payouts.data.waiting} />}
      {payouts.data && <TownBankCard bank={payouts.data.bank} />}
    </div>
  );
}

function MakePayoutsButton() {
  return (
    <ActButton
      label="Make Payouts"
      title="Make payouts now?"
      button="Make Payouts"
      done="The payouts are made"
      run={(reason, idempotencyKey) => operatorApi.runPayouts({ body: { reason }, idempotencyKey })}
    >
      <p>Everything that was earned before Monday and waits for nothing. The town does it every Monday by itself.</p>
    </ActButton>
  );
}

function SendPayoutsButton({ amount, people }: { amount: number; people: number }) {
  return (
    <ActButton
      label={`Send ${formatMoney(amount)}`}
      variant="filled"
      title={`Send ${formatMoney(amount)} to ${people} ${people === 1 ? 'person' : 'people'}?`}
      button="Ask for Approval"
      done="The payouts are sent"
      run={(reason, idempotencyKey) => operatorApi.sendPayouts({ body: { amount, reason }, idempotencyKey })}
    >
      <p>Another operator must approve the same sum. Then there is a file for the bank.</p>
    </ActButton>
  );
}

/** The bank could not pay it. */
function ReturnButton({ payout: { id, person, amount } }: { payout: PayoutRow }) {
  return (
    <ActButton
      label="Returned…"
      variant="subtle"
      title={`Did the bank return ${formatMoney(amount)} for ${person.name}?`}
      button="Ask for Approval"
      done="The payout is marked as returned"
      run={(reason, idempotencyKey) =>
        operatorApi.returnPayout({ params: { id: person.id, payoutId: id }, body: { reason }, idempotencyKey })
      }
    >
      <p>
        {person.name} is owed the money again. Their payouts are on hold until you know where to send them: they get an
        email that asks for another account.
      </p>
    </ActButton>
  );
}

function Waiting({ credits }: { credits: readonly WaitingCredit[] }) {
  return (
    <>
      <h2>On hold</h2>
      <ul className={cards.list} aria-label="On hold">
        {credits.map(({ person, why, amount, orders, since, until }) => (
          <li key={`${person.id} ${why}`} className={cards.card}>
            <div className={cards.top}>
              <strong>
                {person.name} ({person.role})
              </strong>
              <span className="tabular">{formatMoney(amount)}</span>
            </div>
            <p>
              {WAIT_TEXTS[why]} · {orders} {orders === 1 ? 'order' : 'orders'}, since {formatDateInText(since)}
              {until !== null && `, until ${formatDateInText(until)}`}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
