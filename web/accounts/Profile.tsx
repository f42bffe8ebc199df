import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { User } from '../../contract/accounts.ts';
import { api } from '../api/client.ts';
import { LazyDocuments } from '../documents/LazyDocuments.tsx';
import { NotificationSection } from '../notifications/NotificationSection.tsx';
import { updateUser, useUser } from '../session/session.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { usePageTitle } from '../ui/PageHeader.tsx';
import { Phone } from '../ui/Phone.tsx';
import { Addresses } from './Addresses.tsx';
import { Devices } from './Devices.tsx';
import { PasswordAndEmail } from './PasswordAndEmail.tsx';
import styles from './Profile.module.css';
import { ProfileForm } from './ProfileForm.tsx';
import { SavedCards } from './SavedCards.tsx';
import { YourData } from './YourData.tsx';

/** spec 2.10: the user's profile and addresses. */
export function Profile() {
  usePageTitle('Profile');
  const user = useUser();
  const fresh = useQuery({ queryKey: ['profile'], queryFn: () => api.profile() }).data;
  useEffect(() => {
    if (fresh) updateUser(fresh);
  }, [fresh]);
  return (
    <div className={styles.page}>
      <ProfileDetails user={user} />
      {user.role !== 'Bud' && <LazyDocuments place="profile" />}
      <Addresses addresses={user.addresses} mayAdd={user.role === 'Bud'} />
      {user.role === 'Bud' && <SavedCards />}
      <PasswordAndEmail user={user} />
      <Devices />
      <NotificationSection role={user.role} />
      <YourData />
    </div>
  );
}

/** The name and how to reach the user, which can be edited in place. */
function ProfileDetails({ user }: { user: User }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <section className="card" aria-label="Your details">
      <div className={styles.head}>
        <Avatar name={user.fullname} size={64} />
        <div className={styles.who}>
          <h1 tabIndex={-1}>{user.fullname}</h1>
          <p className="quiet">{user.role}</p>
          <p className="quiet">{user.email}</p>
          <p className="quiet">{user.phone ? <Phone number={user.phone} /> : 'No phone number'}</p>
        </div>
        {!isEditing && (
          <Button variant="outline" onClick={() => setEditing(true)}>
            Edit Profile
          </Button>
        )}
      </div>
      {isEditing && <ProfileForm user={user} onDone={() => setEditing(false)} />}
    </section>
  );
}
