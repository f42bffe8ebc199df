import { useQuery } from '@tanstack/react-query';
import type { WorkFigures } from '../../contract/earnings.ts';
import { api } from '../api/client.ts';
import { DescriptionItem, DescriptionList } from '../ui/DescriptionList.tsx';
import { Fold } from '../ui/Fold.tsx';
import { formatMoney } from '../ui/format.ts';
import styles from './EarningsPage.module.css';

/** How the work of the last weeks went. Only the worker and the people who run the town see it. */
export function OwnFigures({ role }: { role: 'Scrub' | 'Duber' }) {
  const { data } = useQuery({
    queryKey: ['own-figures'],
    queryFn: ({ signal }) => api.workFigures(undefined, { signal }),
  });
  if (!data || (data.done === 0 && data.rating === null)) return null;
  return (
    <div className={styles.part}>
      <Fold title={`Your Last ${data.weeks} Weeks`}>
        <DescriptionList>
          {listFigures(role, data).map(({ name, value }) => (
            <DescriptionItem key={name} name={name}>
              <span style={{ whiteSpace: 'nowrap' }}>{value}</span>
            </DescriptionItem>
          ))}
        </DescriptionList>
        <p className="quiet" style={{ marginTop: 12 }}>
          {NOTES[role]} Only you and the people who run the town see this.
        </p>
      </Fold>
    </div>
  );
}

type Figure = { readonly name: string; readonly value: string };

const NOTES = {
  Scrub:
    'Hours count from the start of an order to its completion. Half of your answers were faster than the time shown.',
  Duber: 'Hours count from accepting a delivery to delivering it.',
};

function listFigures(role: 'Scrub' | 'Duber', figures: WorkFigures): Figure[] {
  const { done, minutesToYes, hourly, rating, ratingCount } = figures;
  return [
    { name: role === 'Scrub' ? 'Completed orders' : 'Delivered', value: String(done) },
    ...(hourly === null ? [] : [{ name: 'Earned per hour', value: formatMoney(hourly) }]),
    ...(minutesToYes === null ? [] : [{ name: 'Time to your yes', value: `${Math.round(minutesToYes)} min` }]),
    ...(rating === null ? [] : [{ name: 'Rating', value: `${rating.toFixed(1)} of 5 (${ratingCount})` }]),
  ];
}
