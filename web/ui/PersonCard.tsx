import type { ReactNode } from 'react';
import { Avatar } from './Avatar.tsx';
import { Icon } from './icons.tsx';
import styles from './PersonCard.module.css';
import { PersonName } from './PersonName.tsx';
import { Phone } from './Phone.tsx';

export type ContactPerson = {
  readonly fullname: string;
  readonly email?: string | null;
  readonly phone?: string | null;
};

/** A participant of an order with their contact details, or `emptyText` when there is nobody yet. */
export function PersonCard({
  title,
  person,
  emptyText,
  children,
}: {
  title: string;
  person: ContactPerson | null | undefined;
  emptyText?: string;
  children?: ReactNode;
}) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {person ? <ContactDetails person={person} /> : <p className="quiet">{emptyText}</p>}
      {children}
    </section>
  );
}

function ContactDetails({ person }: { person: ContactPerson }) {
  return (
    <>
      <div className={styles.who}>
        <Avatar name={person.fullname} size={40} />
        <p className={styles.name}>
          <PersonName name={person.fullname} />
        </p>
      </div>
      {(person.email || person.phone) && (
        <ul className={styles.ways}>
          {person.email && (
            <li className={styles.way}>
              <Icon name="mail" size={18} />
              <a href={`mailto:${person.email}`}>{person.email}</a>
            </li>
          )}
          {person.phone && (
            <li className={styles.way}>
              <Icon name="phone" size={18} />
              <a href={`tel:${person.phone}`}>
                <Phone number={person.phone} />
              </a>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
