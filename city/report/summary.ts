import type { Progress } from '../run.ts';

const STAGES: Record<Progress['stage'], string> = {
  opening: 'Opening an installation …',
  'signing up': 'Everybody signs up by mail …',
  day: 'The day',
  evening: 'Evening: everything is checked …',
  done: 'Done',
};

/** The screen that the terminal shows while the city lives. */
export function describeProgress({ stage, context, crowd }: Progress, seconds: number): string {
  const lines = [`${STAGES[stage]}  ${seconds.toFixed(0)} s`];
  if (context && crowd) {
    const { figures, diary } = context;
    const orders = crowd.people.flatMap(({ role, memory }) => (role === 'Bud' ? [...memory.orders.values()] : []));
    const counts = Object.entries(Object.groupBy(orders, (status) => status));
    lines.push(
      `  Orders     ${counts.map(([status, all]) => `${status} ${all?.length}`).join('  ') || 'none yet'}`,
      `  People     ${crowd.people.length}, operators ${crowd.operators.length}`,
      `  Requests   ${figures.requests}, ${(figures.requests / Math.max(seconds, 1)).toFixed(0)} a second, ` +
        `99 of 100 within ${figures.percentile(0.99)} ms`,
      `  Answers    ${Object.entries(figures.statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join('  ')}`,
      `  Trouble    ${
        Object.entries(figures.counts)
          .map(([what, count]) => `${what} ${count}`)
          .join(', ') || 'none'
      }`,
      `  Findings   ${diary.findings.length}`,
    );
  }
  return lines.join('\n');
}
