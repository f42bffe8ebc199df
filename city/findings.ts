/** Something that a person did or saw, or an injected fault. */
export type LogEntry = {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly who: string;
  readonly what: string;
  /** The ids that it is about: of an order, of its deliveries. */
  readonly about: readonly string[];
};

/** A promise that did not hold. */
export type Finding = {
  readonly at: number;
  /** In words: what should hold. */
  readonly promise: string;
  readonly what: string;
  readonly about: readonly string[];
};

/** The log of a run, which explains its findings. */
export type RunLog = {
  note(who: string, what: string, about?: readonly string[]): void;
  /** Reports that something does not hold. The same words count once. */
  report(promise: string, what: string, about?: readonly string[]): void;
  /** Links two ids: a delivery to its order. */
  connect(id: string, to: string): void;
  readonly findings: readonly Finding[];
  /** The log entries about the subject of a finding, oldest first. */
  trace(finding: Finding): readonly LogEntry[];
};

const MAX_ENTRIES = 400_000;
const MAX_FINDINGS = 200;
const MAX_TRACE = 60;

export function createRunLog(now: () => number, onFinding: (finding: Finding) => void = () => {}): RunLog {
  const startedAt = now();
  const entries: LogEntry[] = [];
  const findings: Finding[] = [];
  const known = new Set<string>();
  const orderOf = new Map<string, string>();
  const since = () => now() - startedAt;
  const rootOf = (id: string) => orderOf.get(id) ?? id;
  return {
    findings,
    note(who, what, about = []) {
      if (entries.length >= MAX_ENTRIES) entries.splice(0, MAX_ENTRIES / 10);
      entries.push({ at: since(), who, what, about });
    },
    report(promise, what, about = []) {
      if (known.has(what) || findings.length >= MAX_FINDINGS) return;
      known.add(what);
      const finding = { at: since(), promise, what, about };
      findings.push(finding);
      onFinding(finding);
    },
    connect(id, to) {
      orderOf.set(id, to);
    },
    trace({ about, at }) {
      const roots = new Set(about.map(rootOf));
      const related = entries.filter((entry) => entry.at <= at && entry.about.some((id) => roots.has(rootOf(id))));
      return related.slice(-MAX_TRACE);
    },
  };
}
