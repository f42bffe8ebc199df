import type { TownOrder } from '../../../contract/operator/orders.ts';
import { partsOf } from '../../../domain/prices.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatDateInText, formatMoney } from '../../ui/format.ts';
import { GiveMoneyBack } from '../money/GiveMoneyBack.tsx';
import styles from './OrderPage.module.css';

/** What the order costs, what became of the card, and its lines in the ledger. */
export function OrderMoney({ order }: { order: TownOrder }) {
  const { price, promo, payment, refunds, ledger } = order;
  return (
    <section className={styles.card} aria-label="Money">
      <h2>Money</h2>
      <div>
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
          <DescriptionItem name={`Promo ${promo.code}`}>−{formatMoney(promo.discount)}, paid by us</DescriptionItem>
        )}
        {payment && <DescriptionItem name="Card">{cardText(payment)}</DescriptionItem>}
        {refunds.map(({ id, at, amount, state, liable, reason }) => (
          <DescriptionItem key={id} name="Given back">
            {formatMoney(amount)} by the {liable}, {state} · “{reason}” · {formatDateInText(at)}
          </DescriptionItem>
        ))}
      </DescriptionList>
      {ledger.length > 0 && <Ledger entries={ledger} />}
    </section>
  );
}

function cardText({ state, amount, refunded, card, failure, concern }: NonNullable<TownOrder['payment']>): string {
  const parts = [card ?? 'no card', `${formatMoney(amount)} ${state}`];
  if (refunded > 0) parts.push(`${formatMoney(refunded)} went back`);
  if (failure) parts.push(failure);
  if (concern) parts.push(concern);
  return parts.join(' · ');
}

/** Each entry with its lines: debits on the left, credits on the right. */
function Ledger({ entries }: { entries: TownOrder['ledger'] }) {
  return (
    <table className={styles.table}>
      <caption className="sr-only">Ledger</caption>
      <thead>
        <tr>
          <th scope="col" className={styles.head}>
            Account
          </th>
          <th scope="col" className={styles.head}>
            Debit
          </th>
          <th scope="col" className={styles.head}>
            Credit
          </th>
        </tr>
      </thead>
      {entries.map(({ id, kind, at, lines }) => (
        <tbody key={id}>
          <tr>
            <th scope="rowgroup" colSpan={3} className={styles.entry}>
              {kind.replaceAll('-', ' ')} <span className="quiet">{formatDateInText(at)}</span>
            </th>
          </tr>
          {lines.map(({ account, party, amount }) => (
            <tr key={`${account} ${party} ${amount}`}>
              <td>
                {account.replaceAll('-', ' ')}
                {party && <span className="quiet"> {party}</span>}
              </td>
              <td>{amount > 0 && formatMoney(amount)}</td>
              <td>{amount < 0 && formatMoney(-amount)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
