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
              {value}
            </DescriptionItem>
          ))}
        </DescriptionList>
        <p className="quiet">Only you and the people who run the town see this.</p>
      </Fold>
    </div>
  );
}

type Figure = { readonly name: string; readonly value: string };

function listFigures(role: 'Scrub' | 'Duber', figures: WorkFigures): Figure[] {
  const { done, minutesToYes, hourly, rating, ratingCount } = figures;
  const isScrub = role === 'Scrub';
  return [
    { name: isScrub ? 'Orders you completed' : 'Deliveries you delivered', value: String(done) },
    ...(hourly === null
      ? []
      : [
          {
            name: isScrub
              ? 'Earned an hour, from start to completion'
              : 'Earned an hour, from your yes to the delivery',
            value: formatMoney(hourly),
          },
        ]),
    ...(minutesToYes === null
      ? []
      : [{ name: 'Until your yes; half were faster', value: formatMinutes(Math.round(minutesToYes)) }]),
    ...(rating === null ? [] : [{ name: 'Your rating, of all time', value: describeRating(rating, ratingCount) }]),
  ];
}

const formatMinutes = (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`);
const describeRating = (rating: number, count: number) =>
  `${rating.toFixed(1)} of 5, from ${count} ${count === 1 ? 'review' : 'reviews'}`;
