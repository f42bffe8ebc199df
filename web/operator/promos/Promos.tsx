import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { TownPromo } from '../../../contract/operator/promos.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { SETTING_DEFAULTS } from '../../../domain/settings.ts';
import { useNow } from '../../hooks/useNow.ts';
import { Badge } from '../../ui/Badge.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { PageButtons } from '../PageButtons.tsx';
import pageStyles from '../prices.module.css';
import { describeCost, describeTerms, describeTimes, STATE_TEXTS, stateOf } from '../promoTexts.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { AddPromoButton, EndPromoButton } from './PromoActs.tsx';
import styles from './Promos.module.css';

/** The promo codes, newest first. */
export function Promos() {
  const mayChange = useHasRight('prices');
  const [page, setPage] = useState(1);
  const promos = useQuery({
    queryKey: ['promos', page],
    queryFn: () => operatorApi.listPromos({ query: { page: String(page) } }),
  });
  const found = promos.data;
  return (
    <section className={sections.card}>
      <SectionHeader title="Promo codes">{mayChange && <AddPromoButton />}</SectionHeader>
      {promos.isPending && <LoadingRows label="promo codes" rows={1} isInCard />}
      {promos.isError && !found && <QueryError query={promos} title="The promo codes did not load" />}
      {found?.items.length === 0 && page === 1 && (
        <p className="quiet">
          A code takes something off what a Bud pays. Scrubs, Dubers and the state get the same: the platform pays the
          rest.
        </p>
      )}
      <ul className={pageStyles.rows} aria-label="Promo codes">
        {found?.items.map((promo) => (
          <PromoRow key={promo.id} promo={promo} mayChange={mayChange} />
        ))}
      </ul>
      <PageButtons page={page} hasMore={found?.hasMore} onPage={setPage} />
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
