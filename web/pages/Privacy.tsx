import { KEPT_BY_LAW_YEARS } from '../../domain/erasures.ts';
import { useConfig } from '../api/config.ts';
import { SupportEmail, TextPage } from './TextPage.tsx';

export function Privacy() {
  const supportEmail = useConfig()?.supportEmail;
  return (
    <TextPage title="Privacy Policy" subtitle="What we store about you, who can see it, and for how long.">
      <h2>What we store</h2>
      <ul>
        <li>Your name, email address and role, and your phone number if you give one.</li>
        <li>Your addresses and where they are on the map.</li>
        <li>
          Your orders, deliveries, reviews and payments. We never see card numbers: the card provider keeps them. If you
          save a card: its brand, its last four digits and when it expires, until you remove it in your profile.
        </li>
        <li>
          If you work as a Scrub or Duber and enter them: your bank account, and your tax number with the name on your
          tax return. Both are encrypted, and only the last digits are shown again.
        </li>
        <li>
          The emails and push notifications we send you. For a device with push notifications, the address that its
          browser gave us, until you sign out there.
        </li>
        <li>
          For each device that is signed in: its browser, the network it signed in from, when it signed in and when it
          was last used, until it is signed out. Your profile lists these devices.
        </li>
        <li>Your password, only as a hash that cannot be reversed.</li>
      </ul>
      <h2>Who can see it</h2>
      <ul>
        <li>
          A Scrub you order from sees your name, address, email and phone. If the order is cancelled or rejected, they
          only see your name and street.
        </li>
        <li>
          A Duber sees your name and the addresses and size of a waiting delivery within 50 km of their own address.
          They see your email and phone only once the delivery is theirs, and until 7 days after it was delivered.
        </li>
        <li>
          Some places are set up to be more careful. There, a Scrub or a Duber who has not accepted your order only sees
          your location to about 300 meters and your last name as an initial. Email, phone and exact locations are
          hidden from everyone else 7 days after the order.
        </li>
        <li>You see the name, email and phone of the Duber who carries your laundry.</li>
        <li>
          The Bud and the Scrub of a delivery see where its Duber is, only if the Duber agrees and only on the way. They
          see the latest location, rounded to about 11 meters. It is deleted an hour after the delivery, or as soon as
          the Duber turns it off.
        </li>
        <li>
          The people who run your town see your bank account and your tax number only in the files for the bank and for
          the tax office, after they have said why. The tax office gets your tax number with what you were paid.
        </li>
        <li>Nobody else. We show no ads and sell no data.</li>
      </ul>
      <h2>Services we use</h2>
      <p>
        The card provider gets your card and the amount. The address search gets what you type into it. The route
        service gets the places a way leads between, rounded to about 11 meters and without names. The map’s server gets
        the part of the map you look at, from your browser. A mail server delivers our emails. Your browser’s push
        service delivers our notifications, and cannot read them. Fonts, flags and the app itself come from our own
        server.
      </p>
      <h2>In your browser</h2>
      <p>
        One cookie, auth-token, keeps you signed in. It stops working after 30 days without use, after 180 days, or when
        you log out. What you type while signing up or ordering stays in this tab until you finish, except for passwords
        and cards. The orders and deliveries you looked at stay in this browser for up to 3 days, so that you can open
        them offline. They are deleted when you sign out or your session ends. A step that a Duber takes offline is kept
        here until it is sent. Some choices stay in this browser after you sign out: whether a Duber shares their
        location, the last delivery on which they declined that, and whether you have hidden the first steps. They are
        stored under your user number, and say nothing else about you.
      </p>
      <h2>Your rights</h2>
      <p>
        Your profile gives you a copy of your data, as one file with your photos and receipts. It is made within
        minutes, stays there for 7 days, and you can have one a week.
      </p>
      <p>
        In your profile you can also delete your account, once no order, delivery, problem or payment of yours is open.
        You are signed out everywhere, nobody finds you any more, and you can sign in again within 14 days to keep it.
        After that your name, email, phone, addresses, devices, bank account, photos, and everything you wrote are
        deleted. Past orders stay with their prices under “Former” and your role, and know their place to about a
        kilometer. Stars that you gave or got stay without words. Backups still have your data until they are replaced:
        if one is restored, your account is deleted again.
      </p>
      <p>
        The law wants us to keep payments, and the names, contacts and tax numbers that belong to receipts, for{' '}
        {KEPT_BY_LAW_YEARS} years. They are encrypted, and an operator who reads them must say why. If you cannot sign
        in, write to <SupportEmail email={supportEmail} />.
      </p>
    </TextPage>
  );
}
