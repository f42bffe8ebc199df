import { spawnSync } from 'node:child_process';
import { ROOT } from './build.ts';

type Advisory = { readonly title: string; readonly url: string; readonly severity: string };
type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Advisory | string)[] }>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
};

const INSTEAD = `Nothing was checked. Instead, do one of these:
  npm run audit -- --registry=<address>    with a registry that knows advisories, such as npm's own; only names and versions are sent
  npm run release                           and give the release's .cdx.json to a scanner, such as osv-scanner`;

/** What a report of `npm audit --json` says, and the exit code: 0 nothing found, 1 vulnerabilities, 2 not checked. */
export function readAuditReport(json: string): { code: 0 | 1 | 2; text: string } {
  const report = parseReport(json);
  if (!report.vulnerabilities) {
    const reason = report.message || report.error?.summary || 'npm audit printed no report';
    return { code: 2, text: `The registry answered no question about vulnerabilities: ${reason}\n${INSTEAD}` };
  }
  const found = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    // A text names another package of the list, which brings the advisory.
    via.flatMap((one) => (typeof one === 'string' ? [] : [`${one.severity}: ${name}: ${one.title} (${one.url})`])),
  );
  if (found.length === 0) return { code: 0, text: 'No package has a known vulnerability.' };
  return {
    code: 1,
    text: [...found, `${found.length} known vulnerabilities; see SECURITY.md for the times`].join('\n'),
  };
}

function parseReport(json: string): Report {
  try {
    return JSON.parse(json) as Report;
  } catch {
    return {};
  }
}

// npm run audit: asks the registry for known vulnerabilities of all packages in the lockfile.
if (import.meta.main) {
  const options = ['--audit=true', '--json', '--package-lock-only', ...process.argv.slice(2)];
  const { stdout, error } = spawnSync('npm', ['audit', ...options], { cwd: ROOT, encoding: 'utf8' });
  if (error) throw error;
  const { code, text } = readAuditReport(stdout);
  (code === 0 ? console.log : console.error)(text);
  process.exitCode = code;
}
