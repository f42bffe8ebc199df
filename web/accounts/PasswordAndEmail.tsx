import { Button } from '@mantine/core';
import { useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import items from '../ui/ItemList.module.css';
import { Icon, type IconName } from '../ui/icons.tsx';
import { EmailForm } from './EmailForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import styles from './Profile.module.css';

/** What the user signs in with. One of the two can be changed at a time. */
export function PasswordAndEmail({ user }: { user: User }) {
  const [editing, setEditing] = useState<'password' | 'email'>();
  const stop = () => setEditing(undefined);
  return (
    <section className="card" aria-labelledby="password-and-email">
      <div className={styles.title}>
        <h2 id="password-and-email">Password and email</h2>
      </div>
      <ul className={`${items.list} ${items.rows}`}>
        <li>
          {editing === 'password' ? (
            <PasswordForm email={user.email} onDone={stop} />
          ) : (
            <Row
              icon="lock"
              label="Password"
              text="Only you know it"
              action="Change Password"
              onEdit={() => setEditing('password')}
            />
          )}
        </li>
        <li>
          {editing === 'email' ? (
            <EmailForm email={user.email} onDone={stop} />
          ) : (
            <Row icon="mail" label="Email" text={user.email} action="Change Email" onEdit={() => setEditing('email')} />
          )}
        </li>
      </ul>
    </section>
  );
}

type RowProps = { icon: IconName; label: string; text: string; action: string; onEdit: () => void };

function Row({ icon, label, text, action, onEdit }: RowProps) {
  return (
    <div className={items.item}>
      <Icon name={icon} />
      <div className={items.words}>
        <p className={items.label}>{label}</p>
        <p className="quiet">{text}</p>
      </div>
      <Button variant="subtle" aria-label={action} onClick={onEdit}>
        Change
      </Button>
    </div>
  );
}
