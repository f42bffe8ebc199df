import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDateInText } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';
import styles from './people.module.css';

/** Null while the contact is hidden. */
async function readContact(id: string) {
  try {
    return await operatorApi.readContact({ params: { id } });
  } catch (error) {
    if (error instanceof CallFailed && error.code === 'contactHidden') return null;
    throw error;
  }
}

/** The contact of a person, hidden until the operator says why they need it. It hides again by itself. */
export function ContactCard({ id }: { id: string }) {
  const [isShown, setShown] = useState(false);
  const contact = useQuery({
    queryKey: ['contact', id],
    queryFn: () => readContact(id),
    // Before, asking is refused.
    enabled: isShown,
    refetchInterval: ({ state }) => (state.data ? Math.max(1_000, Date.parse(state.data.until) - Date.now()) : false),
    gcTime: 0,
  });
  const show = async (reason: string) => {
    const answer = await operatorApi.showContact({ params: { id }, body: { reason } });
    setShown(true);
    return answer;
  };
  return (
    <section className={sections.card}>
      <SectionHeader title="Contact" />
      {contact.isError && <QueryError query={contact} title="The contact did not load" />}
      {contact.data ? (
        <ShownContact contact={contact.data} />
      ) : (
        <>
          <p className="quiet">Hidden. You can look at it when you say why, and the audit keeps that.</p>
          <div className={styles.buttons}>
            <ActButton
              title="Show the contact?"
              button="Show Contact"
              done="You can read it for 15 minutes"
              run={show}
            />
          </div>
        </>
      )}
    </section>
  );
}

type Contact = Awaited<ReturnType<typeof operatorApi.readContact>>;

function ShownContact({ contact: { email, phone, addresses, until } }: { contact: Contact }) {
  return (
    <>
      <p>
        <a href={`mailto:${email}`}>{email}</a>
      </p>
      {phone !== null && (
        <p>
          <a href={`tel:${phone}`}>{phone}</a>
        </p>
      )}
      {addresses.map(({ label, address }) => (
        <p key={`${label} ${address}`}>
          {label}: {address}
        </p>
      ))}
      <p className="quiet">Shown until {formatDateInText(until)}</p>
    </>
  );
}
