import { useTownTime } from './useTownDay.ts';

/** A time on the clocks of the town, alone or at the start of a sentence: 'Today 2:01 am'. */
export function TownTime({ at, className }: { at: string; className?: string | undefined }) {
  const text = useTownTime()(at);
  return (
    <time dateTime={at} className={className}>
      {text.charAt(0).toUpperCase() + text.slice(1)}
    </time>
  );
}
