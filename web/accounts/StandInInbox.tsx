import { useConfig } from '../api/config.ts';

/** Where a mail can be read while a stand-in takes the place of the mail provider; nothing where mail is really sent. */
export function StandInInbox({ to }: { to?: string }) {
  if (!useConfig()?.standIns.includes('mail')) return null;
  return (
    <>
      {' '}
      No real mail is sent here:{' '}
      <a
        href={to === undefined ? '/sandbox/mail' : `/sandbox/mail?to=${encodeURIComponent(to)}`}
        target="_blank"
        rel="noreferrer"
      >
        read it in the inbox
      </a>
      .
    </>
  );
}
