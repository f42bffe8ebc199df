/** At least 1, so that a wait that is almost over is still one. */
export const secondsUntil = (time: Date, now: Date) => Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000));

/** A wait for a message, never shorter than it is: '40 seconds', '3 minutes', '5 hours'. */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  if (minutes > 1) return `${minutes} minutes`;
  return seconds === 60 ? '1 minute' : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
