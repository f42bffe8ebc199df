import { type Identity, legalLines } from '../../domain/identity.ts';
import styles from './LegalLines.module.css';

/** Who runs the town; nothing while operators have not said. */
export function LegalLines({ town }: { town: Pick<Identity, 'legalName' | 'address' | 'taxNumber'> }) {
  const lines = legalLines(town);
  return lines.length > 0 && <p className={styles.lines}>{lines.join('\n')}</p>;
}
