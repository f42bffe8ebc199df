import type { Progress } from '../run.ts';

const STAGES: Record<Progress['stage'], string> = {
  opening: 'Opening an installation …',
  'signing up': 'Everybody signs up by mail …',
  day: 'The day',
  evening: 'Evening: everything is checked …',
  done: 'Done',
};

/** The progress that the terminal shows during a run. */
export function describeProgress({ stage, context, crowd }: Progress, seconds: number): string {
  const lines = [`${STAGES[stage]}  ${seconds.toFixed(0)} s`];
  if (context && crowd) {
    const { figures, log } = context;
    const orders = crowd.people.flatMap(({ role, knowledge }) =>
      role === 'Bud' ? [...knowledge.orders.values()] : [],
    );
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
      `  Findings   ${log.findings.length}`,
    );
  }
  return lines.join('\n');
}
