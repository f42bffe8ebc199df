import { NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerEntryView } from '../../../contract/operator/money.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../../domain/ledger.ts';
import { ListPage } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import { useTownTime } from '../useTownDay.ts';
import { GiveMoneyBack } from './GiveMoneyBack.tsx';
import { LedgerLines } from './LedgerLines.tsx';
import styles from './MoneyPage.module.css';
import { ACCOUNT_TEXTS, kindText } from './moneyTexts.ts';

const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

type Fields = { readonly order: string; readonly person: string; readonly account: LedgerAccount | '' };

/** The entries of the ledger, of an order, a person or an account. */
export function LedgerPage() {
  const [fields, setFields] = useState<Fields>({ order: '', person: '', account: '' });
  const ledger = useLedger(fields);
  const entries = ledger.data?.pages.flatMap(({ items }) => items);
  const orderId = fields.order.trim() === '' ? undefined : entries?.[0]?.orderId;
  return (
    <ListPage
      title="Ledger"
      subtitle="Every entry, newest first. Entries never change."
      actions={orderId && <GiveMoneyBack orderId={orderId} />}
      filter={<LedgerFilters fields={fields} set={(change) => setFields((now) => ({ ...now, ...change }))} />}
      what="ledger"
      query={ledger}
      rows={entries}
      empty="No entries"
      drawing="wallet"
      more={<OlderButton query={ledger} />}
    >
      {(rows) => (
        <ol className={cards.list} aria-label="Ledger">
          {rows.map((entry) => (
            <EntryCard key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </ListPage>
  );
}

function useLedger({ order, person, account }: Fields) {
  const filter = {
    ...(order.trim() === '' ? {} : { order: order.trim().slice(0, 40) }),
    ...(ID.test(person.trim()) ? { personId: person.trim() } : {}),
    ...(account === '' ? {} : { account }),
  };
  return useInfiniteQuery({
    queryKey: ['ledger', filter],
    queryFn: ({ pageParam }) =>
      operatorApi.listLedger({ query: { ...filter, ...(pageParam ? { before: String(pageParam) } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

const ACCOUNT_OPTIONS = [
  { value: '', label: 'All' },
  ...LEDGER_ACCOUNTS.map((account) => ({ value: account, label: ACCOUNT_TEXTS[account] })),
];

type LedgerFiltersProps = { fields: Fields; set: (change: Partial<Fields>) => void };

function LedgerFilters({ fields: { order, person, account }, set }: LedgerFiltersProps) {
  return (
    <div className={styles.filters}>
      <TextInput
        label="Order"
        placeholder="R-1042"
        value={order}
        onChange={(event) => set({ order: event.currentTarget.value })}
      />
      <TextInput
        label="Person id"
        value={person}
        error={person.trim() !== '' && !ID.test(person.trim()) && 'This is not a whole id'}
        onChange={(event) => set({ person: event.currentTarget.value })}
      />
      <NativeSelect
        label="Account"
        data={ACCOUNT_OPTIONS}
        value={account}
        onChange={(event) => set({ account: event.currentTarget.value as Fields['account'] })}
      />
    </div>
  );
}

function EntryCard({ entry: { id, at, kind, orderNumber, lines } }: { entry: LedgerEntryView }) {
  const townTime = useTownTime();
  return (
    <li className={cards.card}>
      <div className={cards.top}>
        <strong>
          {kindText(kind)}
          {orderNumber !== null && ` · ${orderNumber}`}
        </strong>
        <span className="quiet">
          {id} · {townTime(at)}
        </span>
      </div>
      <LedgerLines lines={lines} label={`Entry ${id}`} />
    </li>
  );
}
