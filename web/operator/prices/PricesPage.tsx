import { useQuery } from '@tanstack/react-query';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import { OTHER_SERVICES, SERVICE_NAMES } from '../../../domain/services.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { List } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import styles from '../prices.module.css';
import { ITEM_NAMES, priceText } from '../priceTexts.ts';
import { Promos } from '../promos/Promos.tsx';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { useChangeText } from '../useConsent.ts';
import { useTownDay } from '../useTownDay.ts';
import { ChangePriceButton } from './ChangePriceButton.tsx';

/** What is charged, and what promo codes take off. */
export function PricesPage() {
  const change = useChangeText('A new price');
  return (
    <>
      <PageHeader title="Prices & promos" subtitle={`${change} Placed orders keep their price.`} />
      <div className={sections.sections}>
        <Prices />
        <Services />
        <Promos />
      </div>
    </>
  );
}

function Prices() {
  const mayChange = useHasRight('prices');
  const prices = useQuery({ queryKey: ['prices'], queryFn: () => operatorApi.listPrices() });
  return (
    <section className={sections.card}>
      <SectionHeader title="Prices" />
      <List isInCard what="prices" query={prices} rows={prices.data?.items} empty="No prices">
        {(rows) => (
          <ul className={styles.rows} aria-label="Prices">
            {rows.map((price) => (
              <PriceRow key={price.item} price={price} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </List>
    </section>
  );
}

function PriceRow({ price, mayChange }: { price: TownPrice; mayChange: boolean }) {
  const { item, unit, value, next } = price;
  const townDay = useTownDay();
  return (
    <li className={styles.row}>
      <div>
        <p>{ITEM_NAMES[item]}</p>
        {next.map((later) => (
          <p key={later.from} className="quiet">
            {priceText(unit, later.value)} from {townDay(later.from)}
          </p>
        ))}
      </div>
      <strong className="tabular">{priceText(unit, value)}</strong>
      {mayChange && <ChangePriceButton price={price} />}
    </li>
  );
}

/** What the public pages offer besides wash and fold. */
function Services() {
  const mayChange = useHasRight('prices');
  const town = useTown();
  return (
    <section className={sections.card}>
      <SectionHeader title="Services">
        {mayChange && town.data && <ActFormButton act="setServices" start={{ services: town.data.services }} />}
      </SectionHeader>
      <p className="quiet">
        All orders are wash and fold so far. The questions and answers, and the front page, also name what people can
        ask you for.
      </p>
      <List isInCard what="services" query={town} rows={town.data && OTHER_SERVICES} empty="No services">
        {(rows) => (
          <ul className={styles.rows} aria-label="Services">
            {rows.map((service) => (
              <li key={service} className={styles.row}>
                <p>{SERVICE_NAMES[service]}</p>
                <span className="quiet">{town.data?.services.includes(service) ? 'Offered' : 'Not offered here'}</span>
              </li>
            ))}
          </ul>
        )}
      </List>
    </section>
  );
}
