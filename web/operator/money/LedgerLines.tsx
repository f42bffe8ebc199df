import type { LedgerLineView } from '../../../contract/operator/money.ts';
import { formatMoney } from '../../ui/format.ts';
import styles from './LedgerLines.module.css';
import { ACCOUNT_TEXTS } from './moneyTexts.ts';

/** Who gives and who gets: the lines of an entry. Debits are on the left, and credits on the right. */
export function LedgerLines({ lines, label }: { lines: readonly LedgerLineView[]; label: string }) {
  return (
    <table className={styles.lines} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ account, party, amount }) => (
          <tr key={`${account} ${party?.id} ${amount}`}>
            <th scope="row">
              {ACCOUNT_TEXTS[account]}
              {party?.name && <span className="quiet"> · {party.name}</span>}
            </th>
            <td>{amount > 0 && formatMoney(amount)}</td>
            <td>{amount < 0 && formatMoney(-amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
