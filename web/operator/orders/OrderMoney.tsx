import type { TownOrder } from '../../../contract/operator/orders.ts';
import { partsOf } from '../../../domain/prices.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { formatMoney } from '../../ui/format.ts';
import { GiveMoneyBack } from '../money/GiveMoneyBack.tsx';
import { LedgerLines } from '../money/LedgerLines.tsx';
import { kindText, LIABLE_TEXTS, PAYMENT_TEXTS, REFUND_TEXTS } from '../money/moneyTexts.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './OrderPage.module.css';

/** The price of the order, the state of its card payment, and the place of its money now. The entries of the ledger are folded. */
export function OrderMoney({ order }: { order: TownOrder }) {
  const { price, promo, payment, refunds, ledger } = order;
  const townTime = useTownTime();
  const balances = sumLines(ledger);
  return (
    <section className={styles.card} aria-label="Money">
      <div className={styles.top}>
        <h2>Money</h2>
        <GiveMoneyBack orderId={order.id} />
      </div>
      <DescriptionList isColumn>
        <DescriptionItem name="Price">
          {formatMoney(price.totalPrice)}{' '}
          <span className="quiet">
            (
            {partsOf(price)
              .map(({ brief, amount }) => `${brief} ${formatMoney(amount)}`)
              .join(', ')}
            )
          </span>
        </DescriptionItem>
        {promo && (
          <DescriptionItem name={`Promo ${promo.code}`}>
            −{formatMoney(promo.discount)}, paid by the platform
          </DescriptionItem>
        )}
        {payment && <DescriptionItem name="Card">{cardText(payment)}</DescriptionItem>}
        {refunds.map(({ id, at, amount, state, liable, reason }) => (
          <DescriptionItem key={id} name="Given back">
            {formatMoney(amount)}, {townTime(at)}. {REFUND_TEXTS[state]}.{' '}
            {liable === 'nobody' ? 'Nobody had earned it' : `${LIABLE_TEXTS[liable].name} pays for it`}: “{reason}”
          </DescriptionItem>
        ))}
      </DescriptionList>
      {balances.length > 0 && <LedgerLines lines={balances} label="Where the money is" />}
      {ledger.length > 0 && (
        <Fold looks="row" title="Ledger entries" aside={ledger.length}>
          {ledger.map(({ id, kind, at, lines }) => (
            <div key={id} className={styles.entry}>
              <p>
                <strong>{kindText(kind)}</strong> <span className="quiet">{townTime(at)}</span>
              </p>
              <LedgerLines lines={lines} label={kindText(kind)} />
            </div>
          ))}
        </Fold>
      )}
    </section>
  );
}

type Line = TownOrder['ledger'][number]['lines'][number];

/** What all entries together leave in each account, for each person. */
function sumLines(entries: TownOrder['ledger']): Line[] {
  const sums = new Map<string, Line>();
  for (const line of entries.flatMap(({ lines }) => lines)) {
    const key = `${line.account} ${line.party?.id}`;
    const cents = Math.round(((sums.get(key)?.amount ?? 0) + line.amount) * 100);
    sums.set(key, { ...line, amount: cents / 100 });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}

/** 'Visa ···1111: $24.83 charged'. */
function cardText({ state, amount, refunded, card, failure, concern }: NonNullable<TownOrder['payment']>): string {
  const parts = [`${card ?? 'No card'}: ${formatMoney(amount)} ${PAYMENT_TEXTS[state]}`];
  if (refunded > 0) parts.push(`${formatMoney(refunded)} went back`);
  if (failure) parts.push(failure);
  if (concern) parts.push(concern);
  return parts.join('. ');
}
