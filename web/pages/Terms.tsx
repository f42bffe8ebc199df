import { useConfig } from '../config.ts';
import { SupportEmail, TextPage } from './TextPage.tsx';

export function Terms() {
  const supportEmail = useConfig()?.supportEmail;
  return (
    <TextPage title="Terms of Service" subtitle="What you can expect from this place, and what it expects from you.">
      <h2>Who runs this</h2>
      <p>
        Rubadub is open-source software. This installation is run by whoever put it here; “we” means them. You reach us
        at <SupportEmail email={supportEmail} />.
      </p>
      <h2>What we do</h2>
      <p>
        We connect people who need laundry done (Buds), people who do it (Scrubs) and people who carry it (Dubers). The
        washing is agreed between a Bud and a Scrub, the carrying is done by a Duber; we pass on orders and payments.
      </p>
      <h2>Orders and money</h2>
      <ul>
        <li>The price is shown before you pay, and an order keeps the price it was placed at.</li>
        <li>Placing an order holds the amount on your card. It is charged when the Scrub accepts.</li>
        <li>A cancelled, rejected or unanswered order releases the hold; unanswered means 24 hours.</li>
        <li>A Bud can cancel an order for as long as it is Requested.</li>
        <li>Scrubs earn when an order is completed, Dubers when a delivery is delivered; payouts are weekly.</li>
      </ul>
      <h2>How to behave</h2>
      <ul>
        <li>One account belongs to one person, who keeps its password.</li>
        <li>Give true names, addresses and phone numbers: somebody will stand at that door.</li>
        <li>Treat other people's clothes and other people with care. Reviews are honest, and about the work.</li>
        <li>Nothing dangerous or illegal goes into a laundry bag.</li>
      </ul>
      <h2>When something goes wrong</h2>
      <p>
        Tell the other side first, then us. The law of the place where this installation is run decides who owes what;
        nothing here takes away rights that the law gives you as a consumer.
      </p>
      <h2>The software itself</h2>
      <p>It comes under the MIT licence, as it is and without warranty. Anybody may run their own.</p>
    </TextPage>
  );
}
