import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TownPromo } from '../../../contract/operator/promos.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { SETTING_DEFAULTS } from '../../../domain/settings.ts';
import { useNow } from '../../hooks/useNow.ts';
import { Badge } from '../../ui/Badge.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { PagedList, useFilter } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import pageStyles from '../prices.module.css';
import { describeCost, describeTerms, describeTimes, STATE_TEXTS, stateOf } from '../promoTexts.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { AddPromoButton, EndPromoButton } from './PromoActs.tsx';
import styles from './Promos.module.css';

/** The promo codes, newest first. */
export function Promos() {
  const mayChange = useHasRight('prices');
  const filter = useFilter();
  const promos = useQuery({
    queryKey: ['promos', filter.page],
    queryFn: () => operatorApi.listPromos({ query: { page: String(filter.page) } }),
  });
  return (
    <section className={sections.card}>
      <SectionHeader title="Promo codes">{mayChange && <AddPromoButton />}</SectionHeader>
      <PagedList
        isInCard
        filter={filter}
        what="promo codes"
        query={promos}
        empty="A code takes something off what a Bud pays. Scrubs, Dubers and the state get the same: the platform pays the rest."
      >
        {(rows) => (
          <ul className={pageStyles.rows} aria-label="Promo codes">
            {rows.map((promo) => (
              <PromoRow key={promo.id} promo={promo} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function PromoRow({ promo, mayChange }: { promo: TownPromo; mayChange: boolean }) {
  return (
    <li className={styles.promo}>
      <h3>
        <Link to={`/operator/promos/${promo.id}`}>{promo.code}</Link> <PromoStateBadge promo={promo} />
      </h3>
      <PromoFacts promo={promo} />
      {mayChange && promo.endedAt === null && (
        <div className="buttons">
          <EndPromoButton promo={promo} />
        </div>
      )}
    </li>
  );
}

export function PromoStateBadge({ promo }: { promo: TownPromo }) {
  const now = useNow(true, MINUTE_MS);
  return <Badge color="brand">{STATE_TEXTS[stateOf(promo, now)]}</Badge>;
}

export function PromoFacts({ promo }: { promo: TownPromo }) {
  const { data: town } = useTown();
  return (
    <>
      <p>{describeTerms(promo)}</p>
      <p className="quiet">{describeTimes(promo, town?.timeZone ?? SETTING_DEFAULTS.timeZone)}</p>
      <p>{describeCost(promo)}</p>
    </>
  );
}
