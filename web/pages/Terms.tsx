import { PRODUCT_NAME } from '../../domain/identity.ts';
import { useConfig } from '../api/config.ts';
import { HAS_PRODUCT_NAME, TOWN_NAME } from '../town.ts';
import { LegalLines } from '../ui/LegalLines.tsx';
import { SupportEmail, TextPage } from './TextPage.tsx';

export function Terms() {
  const { supportEmail, weighsLaundry, town } = useConfig() ?? {};
  return (
    <TextPage title="Terms of Service" subtitle="What you can expect from us, and what we expect from you.">
      <h2>Who runs this</h2>
      <p>
        {TOWN_NAME} {HAS_PRODUCT_NAME ? 'is' : 'runs on'} open-source software. “We” means{' '}
        {town?.legalName ?? 'the people who run this installation'}. You can reach us at{' '}
        <SupportEmail email={supportEmail} />
        {town?.phone && ` or ${town.phone}`}.
      </p>
      {town && <LegalLines town={town} />}
      <h2>What we do</h2>
      <p>
        We connect people who need laundry done (Buds), people who do it (Scrubs) and people who deliver it (Dubers).
        The Bud and the Scrub agree on the laundry, and a Duber delivers it. We pass on orders and payments.
      </p>
      <h2>Orders and money</h2>
      <ul>
        {weighsLaundry ? <WeighedTerms /> : <PriceTerms />}
        <li>
          If an order is cancelled, rejected or not answered in time, we release the hold, or pay back what we charged.
          A Scrub has 24 hours to answer, and at most until an agreed pickup begins.
        </li>
        <li>
          A Bud can cancel an order until the laundry is collected. Once a Duber has set out, the Bud pays for the trip.
        </li>
        <li>
          Where a town offers times, a Bud can change an agreed time until two hours before, free of charge. Being back
          on the next or the same day may cost more, as the price before the order says.
        </li>
        <li>
          Where a town pays for a missed promise, the amount goes back to the card by itself. Whoever had the laundry
          then bears it, or the town, and can contest it once.
        </li>
        <li>Scrubs earn when an order is completed, and Dubers when a delivery is delivered. We pay out weekly.</li>
      </ul>
      <h2>What we expect</h2>
      <ul>
        <li>Each account belongs to one person. Keep your password to yourself.</li>
        <li>Use your real name, address and phone number. Someone will come to that door.</li>
        <li>Treat other people and their clothes with care. Keep reviews honest and about the work.</li>
        <li>Do not put anything dangerous or illegal in a laundry bag.</li>
      </ul>
      <h2>When something goes wrong</h2>
      <p>
        Report it in the app, on the page of the order or the delivery. What a Bud reports goes to the Scrub or the
        Duber first in most cases, and to us where they do not agree. The law of the place where we run this
        installation applies. Nothing here limits your rights as a consumer.
      </p>
      <h2>The software</h2>
      <p>
        {HAS_PRODUCT_NAME ? PRODUCT_NAME : 'It'} is available under the MIT license, as is and without warranty. Anyone
        may run their own.
      </p>
    </TextPage>
  );
}

const PriceTerms = () => (
  <>
    <li>You see the price before you pay, and it does not change after you order.</li>
    <li>When you place an order, we hold the amount on your card. We charge it when the Scrub accepts.</li>
  </>
);

const WeighedTerms = () => (
  <>
    <li>You see the price before you order, and how far it may go up. Above that, we ask you first.</li>
    <li>
      When you place an order, we hold the most that it can cost on your card. We charge it when the Scrub has weighed
      the laundry, and only for what it weighs.
    </li>
  </>
);
