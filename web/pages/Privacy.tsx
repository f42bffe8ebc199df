import { useConfig } from '../config.ts';
import { SupportEmail, TextPage } from './TextPage.tsx';

export function Privacy() {
  const supportEmail = useConfig()?.supportEmail;
  return (
    <TextPage title="Privacy Policy" subtitle="What is kept about you, who sees it, and for how long.">
      <h2>What is kept</h2>
      <ul>
        <li>Your name, e-mail address, role, and your phone number if you give one.</li>
        <li>Your addresses with their points on the map.</li>
        <li>
          Your orders, deliveries, reviews and what was paid. Card numbers never reach us: the card provider keeps them.
        </li>
        <li>
          What you are told by mail or push; of a device that gets pushes, the address that its browser gave us, until
          you sign out there.
        </li>
        <li>
          Of each device that is signed in: its browser, the network it signed in from, when it did and when it was last
          used, until it is signed out. Your profile lists them.
        </li>
        <li>A password only as a hash that cannot be turned back.</li>
      </ul>
      <h2>Who sees it</h2>
      <ul>
        <li>
          A Scrub you order from sees your name, address, e-mail and phone. When the order is cancelled or rejected,
          they see only your name and street.
        </li>
        <li>
          A Duber sees the places of a waiting delivery within 50 km of their own address, its size and your name, and
          your e-mail and phone only once the delivery is theirs, until 7 days after it was made.
        </li>
        <li>
          A town can be more careful: then a Scrub or a Duber who has not accepted your order sees your place only to
          about 300 metres and your family name only as an initial, and e-mail, phone and exact places are hidden from
          everyone else 7 days after the order.
        </li>
        <li>You see the name, e-mail and phone of the Duber who carries your laundry.</li>
        <li>
          Where a Duber is, only if they agree and only on the way: the Bud and the Scrub of that delivery see the last
          place, rounded to about 11 metres. It is gone an hour after the delivery, or when the Duber takes it back.
        </li>
        <li>Nobody else. There is no advertising, and nothing is sold.</li>
      </ul>
      <h2>Others who take part</h2>
      <p>
        The card provider gets your card and the amount; the address search gets what you type into it; the mail server
        carries our letters, and your browser’s push service our pushes, which it cannot read. Fonts, flags and the app
        itself come from here and nowhere else.
      </p>
      <h2>In your browser</h2>
      <p>
        One cookie, auth-token, keeps you signed in; it is dead after 30 days without use, after 180 days, or when you
        log out. What you type into the sign-up and order steps is kept in this tab until you finish, passwords and
        cards aside. What you saw of your orders and deliveries is kept in this browser for at most 3 days, to open
        without a network, and wiped when you log out or your session ends. A step that a Duber takes without a network
        waits here until it is sent.
      </p>
      <h2>Your rights</h2>
      <p>
        Write to <SupportEmail email={supportEmail} /> to get a copy of what is kept about you, or to have it deleted as
        far as the law lets us: records of payments must be kept for some years.
      </p>
    </TextPage>
  );
}
