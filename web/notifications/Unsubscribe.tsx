import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { CallFailed } from '../../contract/callClient.ts';
import type { Unsubscribing } from '../../contract/notifications.ts';
import { describeNotification } from '../../domain/notifications.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { useSession } from '../session/session.ts';
import { TOWN_NAME } from '../town.ts';
import styles from '../ui/AuthPage.module.css';
import { AuthMessage, AuthPage } from '../ui/AuthPage.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { isTemporary } from '../ui/errorMessage.ts';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import notificationStyles from './NotificationSection.module.css';

/** The page behind a mail's unsubscribe link. Turns this kind of mail off and on again, without signing in. */
export function Unsubscribe() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const key = ['unsubscribe', token];
  const query = useQuery({
    queryKey: key,
    queryFn: () => api.readUnsubscribe({ query: { token } }),
    enabled: token !== '',
  });
  // Opening the page changes nothing, because some mail programs open every link.
  const change = useMutation({
    mutationFn: (mail: boolean) => api.unsubscribe({ body: { token, mail } }),
    onSuccess: (response) => queryClient.setQueryData(key, response),
    onError: () => toast.error('Not Changed', { description: 'Something went wrong.' }),
  });
  // Too many requests say nothing about the link.
  const isBad = token === '' || (query.error instanceof CallFailed && !isTemporary(query.error));
  return (
    <AuthPage tab="Unsubscribe">
      {isBad && <InvalidLink />}
      {!isBad && query.isError && <QueryError query={query} title="Unable To Open The Link" level={1} />}
      {!isBad && query.isPending && <Skeleton height={180} />}
      {query.data && (
        <UnsubscribeView
          subscription={query.data}
          hasChanged={change.isSuccess}
          isChanging={change.isPending}
          onChange={(mail) => change.mutate(mail)}
        />
      )}
    </AuthPage>
  );
}

type UnsubscribeViewProps = {
  subscription: Unsubscribing;
  hasChanged: boolean;
  isChanging: boolean;
  onChange: (mail: boolean) => void;
};

function UnsubscribeView({ subscription, hasChanged, isChanging, onChange }: UnsubscribeViewProps) {
  const { name, when } = describeNotification(subscription.kind, subscription.role);
  const kind = `“${name}”`;
  return subscription.mail ? (
    <AuthMessage
      icon={<Icon name="mail" size={44} color="var(--link)" />}
      title={hasChanged ? 'You are subscribed again' : 'Fewer emails?'}
    >
      <p>
        {TOWN_NAME} emails {kind} to <span className={notificationStyles.whole}>{subscription.email}</span>:{' '}
        {lowercaseFirst(when)}.
      </p>
      <div className={styles.buttons}>
        <Button onClick={() => onChange(false)} loading={isChanging}>
          Unsubscribe
        </Button>
        <AllNotificationsLink />
      </div>
    </AuthMessage>
  ) : (
    <AuthMessage icon={<Icon name="check" size={44} color="var(--completed-ink)" />} title="You are unsubscribed">
      <p>
        We no longer email <span className={notificationStyles.whole}>{subscription.email}</span> about {kind}. Your
        other choices stay the same.
      </p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => onChange(true)} loading={isChanging}>
          Undo
        </Button>
        <AllNotificationsLink />
      </div>
    </AuthMessage>
  );
}

const lowercaseFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

function AllNotificationsLink() {
  const { user } = useSession();
  return (
    <Button component={Link} to={user ? '/profile' : '/login'} variant="subtle">
      {user ? 'All your notifications' : 'Sign in to choose what you get'}
    </Button>
  );
}

function InvalidLink() {
  return (
    <AuthMessage icon={<Icon name="alert" size={44} color="var(--danger)" />} title="Invalid Link">
      <p>This link is incomplete, or not one of ours.</p>
      <p className="quiet">Open it from the email again, or change your choices in your profile.</p>
      <div className={styles.buttons}>
        <AllNotificationsLink />
      </div>
    </AuthMessage>
  );
}
