import { execFileSync } from 'node:child_process';
import { dirname, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes and run for up to minutes, though their files are small. */
const LONG_TESTS = /^(promises|city|scripts\/(start|demo))|^server\/payments\/paymentStress/;

/**
 * How early a test file runs: 0 for the test of a changed file, 1 for one in the folder of a changed file, 2 for a long one, so
 * that no worker waits for it at the end, and 3 for the others.
 */
export function rankOf(file: string, changed: ReadonlySet<string>): 0 | 1 | 2 | 3 {
  if (changed.has(file) || changed.has(file.replace(/\.test(\.tsx?)$/, '$1'))) return 0;
  if ([...changed].some((path) => dirname(path) === dirname(file))) return 1;
  return LONG_TESTS.test(file) ? 2 : 3;
}

/** A change of more files than this touches too much for an order. */
const MAX_CHANGED = 30;

/** What differs from the last landed commit, or, on that commit, what the commit changed. Empty outside of a repository. */
function listChangedFiles(root: string): ReadonlySet<string> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const findBase = (): string => {
    const landed =
      git('branch', '--all', '--list', 'main', 'origin/main', '--format=%(refname)').split('\n').at(-1) ?? '';
    const base = git('merge-base', 'HEAD', landed);
    return base === git('rev-parse', 'HEAD') ? 'HEAD~1' : base;
  };
  try {
    const changed = git('diff', '--name-only', findBase()).split('\n');
    return new Set(changed.length > MAX_CHANGED ? [] : changed);
  } catch {
    return new Set();
  }
}

/** Runs first what a change touches, then the long files. Within a rank, files run as Vitest orders them: the longest first, if it knows. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const changed = listChangedFiles(root);
    const rank = ({ moduleId }: TestSpecification) => rankOf(relative(root, moduleId), changed);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
