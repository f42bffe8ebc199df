import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { CallFailed } from '../../../contract/callClient.ts';
import type { ProposalOfMail } from '../../../contract/proposals.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queryClient.ts';
import styles from '../../ui/AuthPage.module.css';
import { AuthMessage, AuthPage } from '../../ui/AuthPage.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { errorMessageOf, isTemporary } from '../../ui/errorMessage.ts';
import { firstNameOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast.tsx';
import { ProposalButtons, ProposedTimes } from './ProposalCard.tsx';

/** The page behind the link of a mail that proposes another time. Its Bud answers without signing in. */
export function OtherTimePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const key = ['proposal', token];
  const query = useQuery({
    queryKey: key,
    queryFn: () => api.readProposal({ query: { token } }),
    enabled: token !== '',
  });
  // Opening the page changes nothing, because some mail programs open every link.
  const answer = useMutation({
    mutationFn: (said: 'yes' | 'no') => api.answerProposal({ body: { token, answer: said } }),
    onSuccess: (response) => queryClient.setQueryData(key, response),
    onError: (error) => {
      toast.error('Not Answered', { description: errorMessageOf(error, 'Something went wrong.') });
      return queryClient.invalidateQueries({ queryKey: key });
    },
  });
  const isBad = token === '' || (query.error instanceof CallFailed && !isTemporary(query.error));
  return (
    <AuthPage tab="Another time">
      {isBad && <InvalidLink />}
      {!isBad && query.isError && <QueryError query={query} title="Unable To Open The Link" level={1} />}
      {!isBad && query.isPending && <Skeleton height={240} />}
      {query.data &&
        (query.data.answer === null ? (
          <Question proposal={query.data} isPending={answer.isPending} onAnswer={(said) => answer.mutate(said)} />
        ) : (
          <Answered proposal={query.data} answer={query.data.answer} />
        ))}
    </AuthPage>
  );
}

function Question({
  proposal,
  isPending,
  onAnswer,
}: {
  proposal: ProposalOfMail;
  isPending: boolean;
  onAnswer: (said: 'yes' | 'no') => void;
}) {
  const who = proposal.by === 'Operator' ? 'The town' : firstNameOf(proposal.scrubName);
  return (
    <AuthMessage icon={<Icon name="clock" size={44} color="var(--link)" />} title={`${who} proposes another time`}>
      <p className="quiet">Order {proposal.order}</p>
      <ProposedTimes proposal={proposal} agreed={proposal.agreed} timeZone={proposal.timeZone} />
      <div className={styles.buttons}>
        <ProposalButtons proposal={proposal} isPending={isPending} onAnswer={onAnswer} />
      </div>
    </AuthMessage>
  );
}

type Answer = NonNullable<ProposalOfMail['answer']>;

/** What the answer means, and what comes next. `isOpen`: somebody still looks for a time. */
function outcomeOf({ by, scrubName }: ProposalOfMail, answer: Answer): { title: string; text: string; isOpen?: true } {
  const scrub = firstNameOf(scrubName);
  if (answer === 'yes') return { title: 'The new time is agreed', text: `We have told ${scrub}.` };
  if (answer === 'withdrawn')
    return {
      title: 'This was about an earlier time',
      text: 'The order has changed since, and there is nothing to answer. Its page shows the time that holds.',
    };
  if (answer === 'expired')
    return {
      title: 'It is too late to answer',
      text: 'The agreed time is too near to change it. The town knows, and gets in touch with you.',
      isOpen: true,
    };
  return by === 'Operator'
    ? { title: 'We look for another time', text: 'The town knows, and gets in touch with you.', isOpen: true }
    : { title: 'The agreed time stays', text: `We have told ${scrub}.` };
}

function Answered({ proposal, answer }: { proposal: ProposalOfMail; answer: Answer }) {
  const { title, text, isOpen } = outcomeOf(proposal, answer);
  const icon = isOpen ? (
    <Icon name="clock" size={44} color="var(--link)" />
  ) : (
    <Icon name="check" size={44} color="var(--completed-ink)" />
  );
  return (
    <AuthMessage icon={icon} title={title}>
      <p>
        Order {proposal.order}. {text}
      </p>
      <OwnOrdersLink />
    </AuthMessage>
  );
}

function InvalidLink() {
  return (
    <AuthMessage icon={<Icon name="alert" size={44} color="var(--danger)" />} title="Invalid Link">
      <p>This link is incomplete, or not one of ours.</p>
      <p className="quiet">Open it from the email again, or answer on the page of your order.</p>
      <OwnOrdersLink />
    </AuthMessage>
  );
}

function OwnOrdersLink() {
  return (
    <div className={styles.buttons}>
      <Button component={Link} to="/bud/orders" variant="subtle">
        Your orders
      </Button>
    </div>
  );
}
