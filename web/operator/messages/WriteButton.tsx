import { useQuery } from '@tanstack/react-query';
import type { Audience } from '../../../domain/broadcasts.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { peopleText } from '../messageTexts.ts';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';

/** Writes to many, and says first how many. */
export function WriteButton() {
  return (
    <ActFormButton act="sendBroadcast" start={{ to: 'Duber' }}>
      {({ to, isUrgent }) => <Reach to={(to || 'Duber') as Audience} isUrgent={isUrgent === true} />}
    </ActFormButton>
  );
}

function Reach({ to, isUrgent }: { to: Audience; isUrgent: boolean }) {
  const { data } = useQuery({
    queryKey: ['reach', to],
    queryFn: () => operatorApi.previewBroadcast({ query: { to } }),
  });
  const today = data?.writtenToday;
  const townTime = useTownTime();
  return (
    <p aria-live="polite">
      {data ? `This goes to ${peopleText(data.people)}.` : 'Counting…'}
      {today &&
        !isUrgent &&
        ` Some of them got “${today.title}” ${townTime(today.at)}: wait until tomorrow, or mark it as urgent.`}
    </p>
  );
}
