import { useQuery } from '@tanstack/react-query';
import type { FileDownload, PayoutRow, WaitingCredit } from '../../../contract/operator/payouts.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { PagedListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { TownTime } from '../TownTime.tsx';
import { useTownTime } from '../useTownDay.ts';
import styles from './MoneyPage.module.css';
import { WAIT_TEXTS } from './moneyTexts.ts';
import { FileButton } from './PayoutFile.tsx';
import { TownBankCard } from './TownBankCard.tsx';

/** A file has the payouts of its whole batch, so its button stands on the first of them. */
const columnsWith = (rows: readonly PayoutRow[], downloads: readonly FileDownload[]): readonly Column<PayoutRow>[] => [
  { header: 'Person', cardSlot: 'name', cell: ({ person }) => `${person.name} (${person.role})` },
  { header: 'Earned before', cardSlot: 'date', cell: ({ earnedBefore }) => formatDay(earnedBefore) },
  { header: 'State', cell: (payout) => <PayoutState {...payout} /> },
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

function PayoutState({ sentAt, returnedAt }: PayoutRow) {
  const townTime = useTownTime();
  if (returnedAt !== null) return `Returned ${townTime(returnedAt)}`;
  return sentAt === null ? 'Due' : `Sent ${townTime(sentAt)}`;
}

/** What people are paid: what is due, what was sent, and what waits and why. */
export function PayoutsPage() {
  const filter = useFilter();
  const payouts = useQuery({
    queryKey: ['payouts', filter.page],
    queryFn: () => operatorApi.listPayouts({ query: { page: String(filter.page) } }),
  });
  const { due, downloads = [], waiting = [], bank } = payouts.data ?? {};
  return (
    <PagedListPage
      title="Payouts"
      subtitle="Made every Monday for what was earned before, and sent by two operators"
      actions={
        <div className="buttons">
          <ActFormButton act="runPayouts" />
          {due && due.amount > 0 && (
            <ActFormButton
              act="sendPayouts"
              name={dueText(due)}
              label={`Send ${formatMoney(due.amount)}`}
              body={{ amount: due.amount }}
            />
          )}
        </div>
      }
      filter={filter}
      what="payouts"
      query={payouts}
      empty="No payouts yet. They are made on Mondays"
      drawing="wallet"
      more={
        <div className={styles.section} style={{ marginTop: 16 }}>
          {waiting.length > 0 && <Waiting credits={waiting} />}
          {bank && <TownBankCard bank={bank} />}
        </div>
      }
    >
      {(rows) => (
        <DataTable label="Payouts" columns={columnsWith(rows, downloads)} rows={rows} rowKey={({ id }) => id} />
      )}
    </PagedListPage>
  );
}

/** '$120.50 to 3 people' */
const dueText = ({ amount, people }: { amount: number; people: number }) =>
  `${formatMoney(amount)} to ${people} ${people === 1 ? 'person' : 'people'}`;

/** The bank could not pay it. */
function ReturnButton({ payout: { id, person, amount } }: { payout: PayoutRow }) {
  return (
    <ActFormButton
      act="returnPayout"
      name={`${formatMoney(amount)} for ${person.name}`}
      params={{ id: person.id, payoutId: id }}
    />
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
              {WAIT_TEXTS[why]} · {orders} {orders === 1 ? 'order' : 'orders'}, since <TownTime at={since} isInText />
              {until !== null && (
                <>
                  , until <TownTime at={until} isInText />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
