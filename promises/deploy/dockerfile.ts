import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { ROOT } from '../../scripts/build.ts';

export type Step = { readonly name: string; readonly value: string };
export type Stage = { readonly base: string; readonly name: string | undefined; readonly steps: readonly Step[] };

/** The stages of deploy/Dockerfile with their steps, as Docker reads them. */
export function readStages(): readonly Stage[] {
  const text = readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8');
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const steps = lines.map((line): Step => {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not a step of a Dockerfile: ${line}`);
    return { name, value };
  });
  const starts = steps.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  return starts.map((start, index) => {
    const [base = '', , name] = steps[start]?.value.split(/ +/) ?? [];
    return { base, name, steps: steps.slice(start + 1, starts[index + 1]) };
  });
}

/** The values of a step in a stage, such as each RUN. */
export const valuesOf = ({ steps }: Stage, name: string): string[] =>
  steps.flatMap((step) => (step.name === name ? [step.value] : []));

/** The variables that a stage sets. */
export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(valuesOf(stage, 'ENV').flatMap((value) => value.split(/ +/).map((pair) => pair.split('='))));

/** A command that is written as a JSON list, as CMD and HEALTHCHECK are. */
export const commandOf = (value: string): string[] => JSON.parse(value.slice(value.indexOf('[')));

/** The files that .dockerignore leaves in the context, as paths from the root of the repository. */
export function listContext(): string[] {
  const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  // A rule is about a file and about everything in a folder, and the last one counts.
  const isKept = (path: string) => {
    const rule = rules.findLast(
      ({ pattern }) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`) || pattern === '*',
    );
    return rule?.isKept ?? true;
  };
  const roots = new Set(rules.filter((rule) => rule.isKept).map(({ pattern }) => pattern.split('/')[0] ?? ''));
  const files = readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => roots.has(name))
    .flatMap((entry) =>
      entry.isFile()
        ? [entry.name]
        : readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true })
            .filter((inner) => inner.isFile())
            .map((inner) => join(inner.parentPath, inner.name).slice(ROOT.length + 1)),
    );
  return files.filter(isKept);
}
