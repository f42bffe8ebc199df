import { useTownTime } from './useTownDay.ts';

type TownTimeProps = {
  readonly at: string;
  /** In the middle of a sentence: 'today 2:01 am'. */
  readonly isInText?: boolean;
  readonly className?: string | undefined;
};

/** A time on the clocks of the town: 'Today 2:01 am'. */
export function TownTime({ at, isInText = false, className }: TownTimeProps) {
  const text = useTownTime()(at);
  return (
    <time dateTime={at} className={className}>
      {isInText ? text : text.charAt(0).toUpperCase() + text.slice(1)}
    </time>
  );
}
