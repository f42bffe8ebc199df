import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Phone } from '../../ui/Phone.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';
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

type CallOrWriteProps = {
  readonly person: { readonly id: string; readonly fullname: string };
  /** Whether the addresses of the person are shown, too. */
  readonly hasAddresses?: boolean;
};

/** How to reach a person: hidden until the operator says why they need it. It hides again by itself. */
export function CallOrWrite({ person: { id, fullname }, hasAddresses = false }: CallOrWriteProps) {
  const [isShown, setShown] = useState(false);
  const contact = useQuery({
    queryKey: ['contact', id],
    queryFn: () => readContact(id),
    // Before, asking is refused.
    enabled: isShown,
    refetchInterval: ({ state }) => (state.data ? Math.max(1_000, Date.parse(state.data.until) - Date.now()) : false),
    gcTime: 0,
  });
  const show = async (reason: string, idempotencyKey: string) => {
    const answer = await operatorApi.showContact({ params: { id }, body: { reason }, idempotencyKey });
    setShown(true);
    return answer;
  };
  if (contact.isError) return <QueryError query={contact} title="The contact did not load" />;
  if (contact.data) return <Contact contact={contact.data} hasAddresses={hasAddresses} />;
  return (
    <ActButton
      title={`Call or write to ${fullname}?`}
      button="Show Contact"
      done="You can read it for 15 minutes"
      run={show}
      trigger={(open) => (
        <Button variant="default" onClick={open}>
          Call or Write…<span className="sr-only"> to {fullname}</span>
        </Button>
      )}
    >
      <p>You can read the contact for 15 minutes. The audit keeps why.</p>
    </ActButton>
  );
}

type Contact = Awaited<ReturnType<typeof operatorApi.readContact>>;

function Contact({ contact, hasAddresses }: { contact: Contact; hasAddresses: boolean }) {
  const { fullname, email, phone, addresses, until } = contact;
  const townTime = useTownTime();
  return (
    <div className={styles.contact}>
      {fullname && <p>{fullname}</p>}
      {phone !== null && (
        <a href={`tel:${phone}`}>
          <Icon name="phone" size={18} />
          <Phone number={phone} />
        </a>
      )}
      <a href={`mailto:${email}`}>
        <Icon name="mail" size={18} />
        {email}
      </a>
      {hasAddresses &&
        addresses.map(({ label, address }) => (
          <p key={`${label} ${address}`}>
            {label}: {address}
          </p>
        ))}
      <p className="quiet">Shown until {townTime(until)}</p>
    </div>
  );
}
