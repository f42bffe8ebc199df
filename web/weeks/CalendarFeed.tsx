import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { copyText } from '../ui/copyText.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './WeekPage.module.css';
import { refreshCalendar } from './weekQuery.ts';

/** The secret address at which a calendar program reads the calendar. It is shown once. */
export function CalendarFeed({ hasFeed }: { hasFeed: boolean }) {
  const onError = (error: unknown) => {
    toast.error('Not Changed', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
  };
  const make = useMutation({ mutationFn: () => api.makeCalendarFeed(), onSuccess: refreshCalendar, onError });
  const stop = useMutation({
    mutationFn: () => api.stopCalendarFeed(),
    onSuccess: async () => {
      make.reset();
      await refreshCalendar();
    },
    onError,
  });
  const copy = async (url: string) => {
    if (await copyText(url)) toast.success('Copied');
  };
  return (
    <Fold title="In your own calendar" aside={hasFeed ? 'On' : 'Off'}>
      <div className={styles.form}>
        <p className="quiet">
          A secret address for your calendar program. Whoever has it reads when laundry comes and goes, with first
          names.{hasFeed && !make.data && ' A new address ends the one before.'}
        </p>
        {make.data && (
          <>
            <TextInput
              label="Your secret address"
              description="Copy it now: it is not shown again."
              readOnly
              value={make.data.url}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button onClick={() => void copy(make.data.url)}>Copy the Address</Button>
          </>
        )}
        <div className="buttons">
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            {hasFeed ? 'Make a New Address' : 'Make an Address'}
          </Button>
          {hasFeed && (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
              Stop
            </Button>
          )}
        </div>
      </div>
    </Fold>
  );
}
