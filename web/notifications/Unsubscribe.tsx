import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { CallFailed } from '../../contract/client.ts';
import type { Unsubscribing } from '../../contract/notifications.ts';
import { describeNotification } from '../../domain/notifications.ts';
import styles from '../accounts/AuthPage.module.css';
import { AuthMessage, AuthPage } from '../accounts/AuthPage.tsx';
import { useSession } from '../accounts/session.ts';
import { api } from '../api.ts';
import { queryClient } from '../queryClient.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import own from './NotificationSection.module.css';

/** Where the link of a mail leads: ends the mails of its kind, and takes that back, without signing in. */
export function Unsubscribe() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const key = ['unsubscribe', token];
  const asked = useQuery({
    queryKey: key,
    queryFn: () => api.readUnsubscribe({ query: { token } }),
    enabled: token !== '',
  });
  // Looking at the page changes nothing: some mail programs open every link themselves.
  const change = useMutation({
    mutationFn: (mail: boolean) => api.unsubscribe({ body: { token, mail } }),
    onSuccess: (answer) => queryClient.setQueryData(key, answer),
    onError: () => toast.error('Not Changed', { description: 'Something went wrong.' }),
  });
  const isBad = token === '' || (asked.error instanceof CallFailed && asked.error.statusCode < 500);
  return (
    <AuthPage tab="Unsubscribe">
      {isBad && <InvalidLink />}
      {!isBad && asked.isError && (
        <ErrorState
          title="Unable To Open The Link"
          level={1}
          onRetry={() => void asked.refetch()}
          isRetrying={asked.isFetching}
        />
      )}
      {!isBad && asked.isPending && <Skeleton height={180} />}
      {asked.data && (
        <UnsubscribeView
          subscription={asked.data}
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

function UnsubscribeView({ subscription: known, hasChanged, isChanging, onChange }: UnsubscribeViewProps) {
  const { name, when } = describeNotification(known.kind, known.role);
  const what = `“${name}”`;
  return known.mail ? (
    <AuthMessage
      icon={<Icon name="mail" size={44} color="var(--link)" />}
      title={hasChanged ? 'You get them again' : 'Fewer mails?'}
    >
      <p>
        Rubadub mails {what} to <span className={own.whole}>{known.email}</span>: {lowercaseFirst(when)}.
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
        Mails about {what} to <span className={own.whole}>{known.email}</span> are switched off. Everything else stays
        as you chose it.
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

const lowercaseFirst = (words: string) => words.slice(0, 1).toLowerCase() + words.slice(1);

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
      <p>This link is not one of ours, or a part of it is missing.</p>
      <p className="quiet">Open it from the mail again, or choose what you get on your profile.</p>
      <div className={styles.buttons}>
        <AllNotificationsLink />
      </div>
    </AuthMessage>
  );
}
